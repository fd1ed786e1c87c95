// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusFormats
import CumulusTestServer
import CumulusTesting
import Foundation
import Synchronization
import Testing

/// What the samples have printed.
let printed = Mutex<[String]>([])

/// Takes the place of Swift's own in the samples.
func print(_ items: Any...) {
    let line = items.map { "\($0)" }.joined(separator: " ")
    printed.withLock { $0.append(line) }
    Swift.print(line)
}

/// Runs each sample against a service on loopback.
@Suite(.timeLimit(.minutes(10))) struct SeedTests {
    private let post = #"{"title":"Clouds"}"#

    /// The originals' routes, and those that their guides made up.
    private func withSite(_ body: (Resource, LoopbackServer) async throws -> Void) async throws {
        let post = post
        let bytes = [UInt8](repeating: 7, count: 4_000)
        try await withLoopbackServer { routes in
            PracticeService().install(in: &routes)
            routes.on(nil, "/posts/:id") { _ in .json(post) }
            routes.on(nil, "/users/:id") { _ in .json(post) }
            routes.on(nil, "/posts") { _ in .json("[\(post)]") }
            let (video, rangeWasRequested) = ([UInt8](repeating: 7, count: 4 << 20), Gate())
            routes.get("/huge_video.m4v") { request in SeedTests.part(of: video, request, rangeWasRequested) }
            for path in ["/pictures/*", "/bigImage.png"] {
                routes.get(path) { _ in ServerResponse(headers: [.contentType: "image/png"], body: bytes) }
            }
            routes.get("/document") { _ in
                ServerResponse(headers: [.contentType: "application/xml"], body: Array("<d>text</d>".utf8))
            }
            routes.get("/renewed") { request in
                let isNew = request.headers[.authorization] == "MyScheme new"
                return isNew ? .json(post) : .text("again", status: .unauthorized)
            }
            routes.get("/statuses/*") { request in
                request.headers[.authorization] == nil ? .text("who?", status: .unauthorized) : .json("[\(post)]")
            }
            routes.on(nil, "/*") { request in .json(request.body.isEmpty ? "{}" : request.text) }
        } _: { server in
            try await body(Resource(server.url), server)
        }
    }

    /// The bytes of the requested range, or all of them, most of which are sent once a range has been requested.
    private static func part(of bytes: [UInt8], _ request: ServerRequest, _ gate: Gate) -> ServerResponse {
        let headers: Headers = [.contentType: "video/mp4", .acceptRanges: "bytes", .eTag: "\"1\""]
        let ends = (request.headers[.range] ?? "").dropFirst(6).split(separator: "-").compactMap { Int($0) }
        guard let first = ends.first, first < bytes.count else {
            let (beginning, remainder) = (Array(bytes[..<(1 << 20)]), Array(bytes[(1 << 20)...]))
            let steps: [ServerResponse.Step] = [.chunk(beginning), .gate(gate), .chunk(remainder)]
            return .script(steps, headers: headers, framing: .contentLength(bytes.count))
        }
        gate.open()
        let last = min(ends.count > 1 ? ends[1] : .max, bytes.count - 1)
        var part = headers
        part[.contentRange] = "bytes \(first)-\(last)/\(bytes.count)"
        return ServerResponse(.partialContent, headers: part, body: Array(bytes[first...last]))
    }

    @Test func creatingResources() async throws {
        try await withSite { _, server in
            let site = await CumulusGuide.aBaseResource(at: server.url)
            CumulusGuide.settings(of: site)
            let url = server.url
            #expect(
                CumulusGuide.children(of: site).map(\.description)
                    == ["users", "posts", "1"].map { "\(url)/\($0)?TOKEN=<redacted>" }
            )
            #expect(CumulusGuide.formats(in: site).map(\.relativePath) == ["users/123", "posts/today"])
            let uploads = CumulusGuide.grandchildren(of: site["posts"])
            CumulusGuide.override(on: uploads[0])
            #expect(uploads.map(\.timeout) == [.seconds(60), .seconds(60)])
            let response = try await CumulusGuide.anonymous(in: site)
            #expect(response.isSuccessful)
            let sent = try #require(server.requests.last)
            #expect(sent.target == "/accounts/abc123?TOKEN=MY%20API%20TOKEN")
            #expect(sent.headers.first { $0.name.canonicalName == "x-mycustomheader" }?.value == "foo")
            RESTClientGuide.settings(of: site)
        }
    }

    @Test("The health check says that a host is down, and throws nothing")
    func deadHost() async throws {
        let site = await CumulusGuide.aBaseResource(at: "http://127.0.0.1:1")
        #expect(printed.withLock { $0.contains("The site is down!") })
        await #expect(throws: CumulusError.self) { try await site.get() }
    }

    @Test func simpleRequests() async throws {
        try await withSite { site, _ in
            let posts = site["posts"]
            let block = try await CumulusGuide.aBlock(on: posts).value
            #expect(block.map(\.title) == ["Clouds"])
            try await CumulusGuide.inline(on: posts)
            let saved = await withCheckedContinuation { continuation in
                _ = CumulusGuide.reuse(on: site["users/123"]) { continuation.resume(returning: $0) }
            }
            #expect(saved.title == "Clouds")
            let controller = CumulusGuide.Controller()
            _ = try await CumulusGuide.userInterface(posts, controller).value
            let failing = CumulusGuide.userInterface(site["test/response_codes/404"], controller)
            let error = await failing.result()
            #expect(throws: CumulusError.self) { try error.get() }
            while await MainActor.run(body: { controller.alert == nil || controller.shown.isEmpty }) {
                await Task.yield()
            }
            #expect(await controller.alert?.contains("404") == true)
            try await CumulusGuide.payloads(site["account"], ["a": 1])
        }
    }

    @Test func queries() async throws {
        try await withSite { site, server in
            let posts = site["posts"]
            _ = try await CumulusGuide.query(on: posts)
            _ = try await CumulusGuide.arrays(on: posts)
            _ = try await RESTClientGuide.pairs(on: posts)
            _ = try await RESTClientGuide.dictionary(on: posts)
            _ = try await RESTClientGuide.dictionaryFirst(on: posts)
            _ = try await RESTClientGuide.arrays(on: posts)
            _ = try await CumulusGuide.baseQuery(of: site, token: "abc123")
            let queries = server.requests.map { PercentEncoding.decode($0.query ?? "") }
            #expect(
                queries == [
                    "foo=bar&date=today", "foo[]=1&foo[]=2", "foo=bar&date=today", "foo=bar",
                    "foo=bar", "foo[]=1&foo[]=2&date=today", "TOKEN=abc123&offset=10&limit=10",
                ]
            )
        }
    }

    @Test func authorizationAndPreflights() async throws {
        try await withSite { site, server in
            CumulusGuide.basic(site)
            CumulusGuide.authorizers(of: site)
            try await site["posts"].get().requireSuccess()
            #expect(server.requests.last?.headers[.authorization] == "Basic Zm9vOmJhcg==")
            site.setRules { $0.credentials = nil }
            CumulusGuide.myAuthorizer(site, CumulusGuide.RelevantData())
            try await site["renewed"].get().requireSuccess()
            let proofs = server.requests.suffix(2).map { $0.headers[.authorization] }
            #expect(proofs == ["MyScheme old", "MyScheme new"])
            let reports = Mutex<[String]>([])
            let guarded = CumulusGuide.preflight(site, .init(isAuthorized: false)) { error in
                MainActor.assertIsolated()
                reports.withLock { $0.append("\(error)") }
            }
            await #expect(throws: CumulusError.self) { try await guarded.get() }
            #expect(reports.withLock(\.self) == ["You need to log in to see this"])
        }
    }

    @Test func filesAndProgress() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withSite { site, server in
            let bar = CumulusGuide.ProgressBar()
            _ = try await CumulusGuide.progress(site["pictures"], bar).value
            while await MainActor.run(body: { bar.progress < 1 || !bar.isHidden }) { await Task.yield() }
            let image = try await CumulusGuide.download(from: site, to: folder)
            #expect(image.byteCount == 4_000 && image.path.hasSuffix("bigImage.png"))
            let video = try await CumulusGuide.chunks(from: site, to: folder.appending(path: "video.m4v"))
            #expect(video.byteCount == 4 << 20)
            #expect(server.requests.contains { $0.path == "/huge_video.m4v" && $0.headers[.range] != nil })
            let hero = folder.appending(path: "t_hero.png")
            try Data(PracticeService().hero).write(to: hero)
            try await CumulusGuide.upload(to: site, hero)
        }
    }

    @Test func values() async throws {
        try await withSite { site, _ in
            let (queue, key) = (DispatchQueue(label: "com.example.saving"), DispatchSpecificKey<Bool>())
            queue.setSpecific(key: key, value: true)
            let (saved, isOnQueue) = await withCheckedContinuation { continuation in
                _ = CumulusGuide.background(site["posts"], on: queue) { post in
                    continuation.resume(returning: (post, DispatchQueue.getSpecific(key: key) == true))
                }
            }
            #expect(saved.title == "Clouds" && isOnQueue)
            let image = try await CumulusGuide.postProcessor(site)
            #expect(image.pixels == 4_000)
            let text = try await CumulusGuide.chain(site)
            #expect(text == "4000 pixels")
            let main = CumulusGuide.Store()
            let identifier = try await CumulusGuide.database(site, CumulusGuide.Store(parent: main))
            #expect(identifier == 1)
            #expect(await main.objects == [4_000])
            CumulusGuide.registerCoder(on: site)
            let document = try await site["document"].get(as: XML.self)
            #expect(document.text == "text")
            try await site["document"].put(body: document).requireSuccess()
        }
    }

    @Test func clients() async throws {
        try await withSite { _, server in
            let answers = try await CumulusGuide.generalPurpose(server.url, ["name": "cloud"])
            #expect(answers.map(\.isSuccessful) == [true, true])
            #expect(server.requests.map(\.target) == ["/products.php?action=list", "/products.php?action=create"])
            let raw = try await CumulusGuide.rawRequest(String(server.url.dropFirst(7)))
            #expect(raw.text == "OK")
            let controller = CocoaRESTReadme.Controller()
            _ = try await controller.awakeFromNib(server.url).value
            while await controller.results.isEmpty { await Task.yield() }
            #expect(server.requests.last?.target == "/statuses/friends_timeline.json?count=3&page=10")
        }
    }

    @Test func cycles() async throws {
        try await withSite { _, server in
            let url = server.url
            try await CyclesGuide.get(url)
            let answers = try await CyclesGuide.verbs(url)
            #expect(answers.filter { !$0.isSuccessful }.isEmpty)
            let cycle = CyclesGuide.create(url)
            _ = try await CyclesGuide.start(cycle).value
            _ = try await CyclesGuide.startTrailing(cycle).value
            let kept = CyclesGuide.keep(url)
            kept.cancel(.silent)
            let result = await kept.result()
            #expect(throws: CancellationError.self) { try result.get() }
            await withCheckedContinuation { continuation in
                let handle = CyclesGuide.cancelled(Resource("\(url)/crazyslow").call(.get)) { continuation.resume() }
                handle.cancel()
            }
        }
    }
}

extension RunningCall {
    /// What the request gave, or how it failed.
    fileprivate func result() async -> Result<Output, any Error> {
        do { return .success(try await value) } catch { return .failure(error) }
    }
}
