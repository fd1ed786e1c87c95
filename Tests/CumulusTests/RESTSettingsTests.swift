// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import CumulusTesting
import Foundation
import Testing

/// Settings and transfers of calls without a tree; serialized, since the settings belong to the process.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RESTSettingsTests {
    private func withService(_ body: (String, LoopbackServer) async throws -> Void) async throws {
        try await withLoopbackServer {
            PracticeService(massiveSize: 100_000).install(in: &$0)
        } _: { server in
            try await body(server.url, server)
        }
    }

    @Test("headers, a time limit and credentials of one origin apply to all calls to it, and to no other")
    func anOriginsSettings() async throws {
        try await withService { url, server in
            let other = server.url(host: "localhost")
            let origin = REST["\(url)"]
            origin.setRules {
                $0.headers["X-Mine"] = "yes"
                $0.credentials = .init(user: "test", password: "test")
            }
            #expect(REST[url].url == origin.url)
            try await holds(REST["\(url)/test/protected"].get().isSuccessful)
            try await holds(REST["\(other)/test/protected"].get().status.code == 401)
            let mine = try await REST["\(url)/test/dumpmeta?a=1"].get(as: JSON.self)
            #expect(mine["X-Mine"].string == "yes")
            let others = try await REST["\(other)/test/dumpmeta"].get(as: JSON.self)
            #expect(others["X-Mine"].isNull)
            origin.setRules { $0.timeout = .milliseconds(50) }
            let error = try await failure { try await REST["\(url)/slow"].get() }
            #expect(error.code == .timeout)
        }
    }

    @Test("the limit of all calls counts them together")
    func limit() async throws {
        let gate = Gate()
        try await withLoopbackServer { routes in
            routes.get("/*") { _ in
                try await gate.wait()
                return .text("ok")
            }
        } _: { server in
            REST.setRules { $0.maxConcurrentRequests = 2 }
            defer { REST.setRules { $0.inherit(\.maxConcurrentRequests) } }
            let calls = (0..<6).map { number in
                let host = number.isMultiple(of: 2) ? "127.0.0.1" : "localhost"
                return Task { try await REST["\(server.url(host: host))/\(number)"].get() }
            }
            try await server.waitForRequests(2)
            #expect(REST.runningCalls.count >= 2 && server.counts.requestsBegun == 2)
            gate.open()
            for call in calls { try await holds(call.value.isSuccessful) }
        }
    }

    @Test("settings of all calls, which can't be requests themselves")
    func defaults() async throws {
        try await withService { url, _ in
            REST.setRules { $0.headers["X-All"] = "yes" }
            defer { REST.setRules { $0.headers.inherit("X-All") } }
            let seen = try await REST["\(url)/test/dumpmeta"].post(.none, as: JSON.self)
            #expect(seen["X-All"].string == "yes")
        }
    }

    @Test("a URL's own user and password, and its query, are sent")
    func urls() async throws {
        try await withService { url, _ in
            let named = url.replacing("http://", with: "http://test:test@")
            try await holds(REST["\(named)/test/protected"].get().isSuccessful)
            let items = try await REST["\(url)/test/query?a=1"].get(as: JSON.self, query: ["b": 2])
            #expect(items == ["a": "1", "b": "2"])
        }
    }

    @Test("downloads and uploads")
    func transfers() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withService { url, _ in
            let file = try await REST["\(url)/test/download/hero"].download(to: .directory(folder.path))
            #expect(file.byteCount == 20_000)
            let path = folder.appending(path: "hero.png")
            try await holds(REST["\(url)/test/upload/hero"].call(.put, .file(path)).send().isSuccessful)
            let bytes = try Data(contentsOf: path)
            try await holds(REST["\(url)/test/upload/hero"].call(.put, .bytes(bytes)).send().isSuccessful)
        }
    }

    private func failure<Result>(of call: () async throws -> Result) async throws -> CumulusError {
        do { _ = try await call() } catch let error as CumulusError { return error }
        throw CancellationError()
    }
}
