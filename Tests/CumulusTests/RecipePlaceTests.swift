// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import CumulusTesting
import Foundation
import Synchronization
import Testing

@testable import GuideSnippets

/// The recipes for particular uses: files, stores, feeds, a worker, a library.
@Suite(.timeLimit(.minutes(10))) struct RecipePlaceTests {
    private func withFile(_ bytes: [UInt8], _ body: (_ file: URL, _ folder: URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-recipe-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "picture.png")
        try Data(bytes).write(to: file)
        try await body(file, folder)
    }

    @Test("An upload: its bar moves to the end, it can be cancelled and started again") @MainActor
    func upload() async throws {
        let answers = Gate()
        try await withLoopbackServer(routes: { routes in
            routes.post("/pictures") { request in .json(["id": request.body.count]) }
            routes.post("/slow") { _ in
                try await answers.wait()
                return .json(["id": 1])
            }
        }) { server in
            try await withFile([UInt8](repeating: 7, count: 300_000)) { file, _ in
                let upload = PictureUpload()
                upload.start(file, to: Resource(server.url)["pictures"])
                // Polls; a cancelled test ends here.
                while upload.outcome == nil { try await Task.sleep(for: .milliseconds(1)) }
                #expect(try upload.outcome?.get().id == 300_000)
                // Polls; a cancelled test ends here.
                while upload.fraction < 1 { try await Task.sleep(for: .milliseconds(1)) }
                upload.start(file, to: Resource(server.url)["slow"])
                try await server.waitForRequests(2)
                upload.cancel()
                // Polls; a cancelled test ends here.
                while upload.outcome == nil { try await Task.sleep(for: .milliseconds(1)) }
                #expect(throws: CancellationError.self) { try upload.outcome?.get() }
                answers.open()
                upload.restart()
                try await server.waitForRequests(3)
                try await send(file, to: Resource(server.url)["nowhere"].with { $0.acceptableStatuses = [.notFound] })
            }
        }
    }

    @Test("A worker: all jobs are delivered, at most eight at once, and failures are reported")
    func worker() async throws {
        let running = Mutex((now: 0, most: 0))
        let transport = StubTransport { routes in
            routes.on(.post, "/jobs") { request in
                running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                for _ in 0..<20 { await Task.yield() }
                running.withLock { $0.now -= 1 }
                return try JSON(parsing: request.body)["id"].int == 13 ? .status(.badRequest) : .status(.accepted)
            }
        }
        let api = Resource("https://api.example.com", transport: transport)
        let worker = JobWorker(api: api)
        let (jobs, next) = AsyncStream.makeStream(of: Job.self)
        let failures = Mutex<[Int]>([])
        let work = Task { await worker.run(jobs) { job, _ in failures.withLock { $0.append(job.id) } } }
        for id in 1...50 { next.yield(Job(id: id)) }
        await stop(next, work, api)
        #expect(transport.requests.count == 50 && failures.withLock(\.self) == [13])
        #expect((1...8).contains(running.withLock(\.most)))
        #expect(Set(transport.requests.map { $0.headers["Idempotency-Key"] }).count == 50)
        let late = await #expect(throws: CumulusError.self) { try await api.get() }
        #expect(late?.code == .shutdown)
    }

    @Test("Rate limits: the rate is kept, and the quota is known") func rateLimits() async throws {
        let transport = StubTransport { routes in
            routes.on(.get, "/names/:id") { request in
                var quota: Headers = ["X-RateLimit-Limit": "100", "X-RateLimit-Reset": "60"]
                quota["X-RateLimit-Remaining"] = "\(100 - request.number)"
                return .text("Ada", headers: quota)
            }
        }
        let site = Resource("https://api.example.com", transport: transport)
        let names = try await keepsToRates(site)
        #expect(names.count == 5 && site.quota?.limit == 100)
    }

    @Test("JSON lines: read and sent one by one") func jsonLines() async throws {
        let received = Mutex("")
        try await withLoopbackServer(routes: { routes in
            routes.get("/feed") { _ in
                .stream(headers: [.contentType: "application/x-ndjson"]) { writer in
                    for (station, celsius) in [("Bergen", 7.5), ("Sevilla", 31), ("Oslo", 4)] {
                        try await writer.write("{\"station\":\"\(station)\",\"celsius\":\(celsius)}\n")
                    }
                }
            }
            routes.post("/feed") { request in
                received.withLock { $0 = request.text }
                return .status(.noContent)
            }
        }) { server in
            let feed = Resource(server.url)["feed"]
            holds(try await warmest(in: feed) == GuideSnippets.Measurement(station: "Sevilla", celsius: 31))
            let (measurements, next) = AsyncStream.makeStream(of: GuideSnippets.Measurement.self)
            for celsius in [1.5, 2.5] { next.yield(.init(station: "Bergen", celsius: celsius)) }
            next.finish()
            try await report(measurements, to: feed)
            #expect(received.withLock(\.self).split(separator: "\n").count == 2)
        }
    }

    @Test("An S3-compatible store: a file up, a list, a link, and a missing object") func objectStore() async throws {
        let store = LoopbackObjectStore(key: "ada", secret: "lovelace")
        try await withLoopbackServer(routes: { store.install(in: &$0, at: "photos") }) { server in
            try await withFile([1, 2, 3]) { file, _ in
                let bucket = bucket(at: "\(server.url)/photos", key: "ada", secret: "lovelace")
                let link = try await backUp(file, to: bucket)
                #expect(store.names == ["backups/picture.png"])
                holds(try await REST[link].get(as: Data.self) == Data([1, 2, 3]))
                holds(try await copy(of: "picture.png", in: bucket) == Data([1, 2, 3]))
                holds(try await copy(of: "none.png", in: bucket) == nil)
            }
        }
    }

    @Test("A preview: nothing is sent") func preview() async throws {
        let site = Resource.preview
        holds(try await site["friends"].get(as: [Friend].self).map(\.name) == ["Ada", "Grace"])
        holds(try await site["friends/1"].get(as: Friend.self).id == 1)
        site.setRules { $0.retry = .never }
        let broken = await #expect(throws: CumulusError.self) { try await site["broken"].get() }
        #expect(broken?.code == .connect)
        let unknown = await #expect(throws: CumulusError.self) { try await site["unknown"].get() }
        #expect(unknown?.code == .fixture)
    }

    @Test("A client library: calls with types, a key, its own errors") func client() async throws {
        let transport = StubTransport { routes in
            routes.on(.get, "/cities/:name/forecast") { request in
                guard request.headers["X-API-Key"] == "k1" else {
                    return .json(["reason": "who are you?"], status: .unauthorized)
                }
                return .json(Weather.Forecast(city: request.path, celsius: 3))
            }
        }
        let weather = Weather(api: Resource("https://weather.example.com", transport: transport), key: "k1")
        holds(try await weather.forecast(for: "../admin").city == "/cities/..%2Fadmin/forecast")
        let stranger = Weather(api: Resource("https://weather.example.com", transport: transport), key: "k2")
        let error = await #expect(throws: CumulusError.self) { try await stranger.forecast(for: "Oslo") }
        #expect(error?.serviceError(as: Weather.Refusal.self)?.reason == "who are you?")
        try await withLoopbackServer(routes: { routes in
            routes.get("/forecasts") { _ in
                .json([Weather.Forecast(city: "Oslo", celsius: -2), Weather.Forecast(city: "Rome", celsius: 14)])
            }
        }) { server in holds(try await coldest("k1", at: server.url) == "Oslo") }
    }
}
