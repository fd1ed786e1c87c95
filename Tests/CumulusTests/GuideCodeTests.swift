// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import GuideSnippets

/// The code in the guide's topics, run.
@Suite(.timeLimit(.minutes(10))) struct GuideCodeTests {
    private func withSite(_ body: (Resource, LoopbackServer) async throws -> Void) async throws {
        try await withLoopbackServer(routes: { routes in
            routes.get("/report") { _ in .text("fair") }
            routes.get("/slow") { _ in .silence }
            routes.get("/data.tar") { _ in .bytes([UInt8](repeating: 7, count: 100_000)) }
            routes.post("/notes") { _ in .status(.created) }
            routes.get("/stations/:name") { _ in .json([Reading(celsius: 7.5), Reading(celsius: 31)]) }
            routes.get("/open") { _ in .json("true") }
            routes.get("/account") { request in .text(request.headers["X-Checked"] ?? "no") }
            routes.get("/titles") { _ in .json(["Clouds"]) }
            routes.get("/log") { _ in
                .stream { writer in for number in 1...9 { try await writer.write("\(number)\n") } }
            }
            routes.put("/seen") { request in .text(request.text) }
            routes.get("/books") { _ in .json([Book(id: 1, title: "Notes")]) }
            routes.get("/books/:id") { request in
                .json(Book(id: Int(request.parameters["id"] ?? "") ?? 0, title: "Notes"))
            }
        }) { server in try await body(Resource(server.url), server) }
    }

    @Test("Cancelling: a task, a handle, a place, a screen") func cancelling() async throws {
        try await withSite { site, _ in
            try await stopping(site)
            let screen = ReportScreen()
            try await screen.load(from: site)
            let report = await screen.report
            holds(report == "fair")
        }
    }

    @Test("Progress: of a download, of a prepared request, of a whole place") func progress() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-guide-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withSite { site, _ in
            try await showing(site, in: folder.path)
            holds(FileManager.default.fileExists(atPath: folder.appending(path: "data.tar").path))
        }
    }

    @Test("Background processing: conversions, chains, an actor, a queue") func backgroundProcessing() async throws {
        try await withSite { site, _ in
            let shown = Mutex<[String]>([])
            try await show(site) { text in shown.withLock { $0.append(text) } }
            holds(shown.withLock(\.self) == ["2 readings, at most 31.0"])
            holds(try await words(site).send() == "2 readings")
            let archive = Archive()
            try await archive.refresh(from: site["stations/bergen"])
            let kept = await archive.readings.count
            holds(kept == 2)
            let saved = await withCheckedContinuation { continuation in
                map(site["stations/oslo"]) { continuation.resume(returning: $0) }
            }
            holds(saved.map(\.celsius) == [7.5, 31])
        }
    }

    @Test("Deadlocks: hooks, closures and streams at a limit of one request") func deadlocks() async throws {
        try await withSite { site, _ in
            holds(try await checkedAccount(site).get(as: String.self) == "yes")
            let titles = await withCheckedContinuation { continuation in
                titlesSoon(site) { continuation.resume(returning: $0) }
            }
            holds(titles == ["Clouds"])
            holds(try await firstLine(site) == "1")
        }
    }

    @Test("Isolation: models, screens, hooks, tasks") func isolation() async throws {
        try await withSite { site, _ in
            let shelf = Shelf()
            try await shelf.load(from: site)
            let books = await shelf.books
            holds(books.map(\.title) == ["Notes"])
            let counter = ReadCounter()
            await counting(site, counter)
            holds(try await fetchAll([3, 1, 2], from: site).map(\.id) == [1, 2, 3])
            let counted = await counter.bytes
            holds(counted > 0)
        }
    }

    @Test("Testing an app: with a stub, and a failure whose wait passes at once") func testing() async throws {
        try await withoutANetwork()
        try await whenItFails()
        try await whenItIsCached()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cumulus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await broken(folder: folder.path)
    }

    @Test("Caching: a storage of one's own gives what it keeps until its URL is changed") func keptElsewhere()
        async throws
    {
        try await withLoopbackServer(routes: { routes in
            routes.get("/news") { request in
                .text("\(request.numberOnConnection)", headers: ["Cache-Control": "max-age=60"])
            }
            routes.put("/news") { _ in .status(.noContent) }
        }) { server in
            let site = Resource(server.url)
            storage(site: site)
            let first = try await site["news"].get(as: String.self)
            let second = try await site["news"].get(as: String.self)
            #expect(first == second && server.requests.count == 1)
            _ = try await site["news"].put(.text("changed"))
            _ = try await site["news"].get(as: String.self)
            #expect(server.requests.count == 3)
        }
    }

    /// Says what it was asked.
    private final class Echo: Link {
        let hasServed: Bool
        private let asked = Mutex("")

        init(hasServed: Bool) { self.hasServed = hasServed }

        func send(_ method: String, _ target: String, _ fields: HTTPFields) async throws {
            asked.withLock { $0 = "\(method) \(target) " }
        }
        func send(_ bytes: ByteChunk) async throws {
            asked.withLock { $0 += String(decoding: bytes.bytes, as: UTF8.self) }
        }
        func receive() async throws -> (status: Int, fields: HTTPFields, body: [UInt8]) {
            if hasServed { throw CancellationError() }
            return (200, [:], Array(asked.withLock(\.self).utf8))
        }
    }

    @Test("Transports: one of one's own, whose kept link has ended, sends again over a new one") func ownLink()
        async throws
    {
        let site = Resource("http://device.local", transport: LinkTransport { _, isNew in Echo(hasServed: !isNew) })
        let response = try await site["state"].put(.text("on"))
        #expect(response.text == "PUT /state on" && response.attempts.map(\.reason) == [.call, .staleConnection])
    }
}
