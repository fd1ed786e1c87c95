// SPDX-License-Identifier: Apache-2.0

import Cumulus
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
            let origin = REST.origin(url)
            origin.setRules {
                $0.headers["X-Mine"] = "yes"
                $0.credentials = .init(user: "test", password: "test")
            }
            #expect(REST.origin("\(url)/any?thing").url == origin.url)
            try await holds(REST.get("\(url)/test/protected").isSuccessful)
            try await holds(REST.get("\(other)/test/protected").status.code == 401)
            let mine = try await REST.get("\(url)/test/dumpmeta?a=1", as: JSON.self)
            #expect(mine["X-Mine"].string == "yes")
            let others = try await REST.get("\(other)/test/dumpmeta", as: JSON.self)
            #expect(others["X-Mine"].isNull)
            origin.setRules { $0.timeout = .milliseconds(50) }
            let error = try await failure { try await REST.get("\(url)/slow") }
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
            REST.defaults.setRules { $0.maxConcurrentRequests = 2 }
            defer { REST.defaults.setRules { $0.inherit(\.maxConcurrentRequests) } }
            let calls = (0..<6).map { number in
                let host = number.isMultiple(of: 2) ? "127.0.0.1" : "localhost"
                return Task { try await REST.get("\(server.url(host: host))/\(number)") }
            }
            try await server.waitForRequests(2)
            #expect(REST.defaults.runningRequests.count >= 2 && server.counts.requestsBegun == 2)
            gate.open()
            for call in calls { try await holds(call.value.isSuccessful) }
        }
    }

    @Test("settings of all calls, which can't be requests themselves")
    func defaults() async throws {
        try await withService { url, _ in
            REST.defaults.setRules { $0.headers["X-All"] = "yes" }
            defer { REST.defaults.setRules { $0.headers.inherit("X-All") } }
            let seen = try await REST.post("\(url)/test/dumpmeta", .none, as: JSON.self)
            #expect(seen["X-All"].string == "yes")
            let error = try await failure { try await REST.defaults.get() }
            #expect(error.code == .invalidURL)
        }
    }

    @Test("a URL's own user and password, and its query, are sent")
    func urls() async throws {
        try await withService { url, _ in
            let named = url.replacing("http://", with: "http://test:test@")
            try await holds(REST.get("\(named)/test/protected").isSuccessful)
            let items = try await REST.get("\(url)/test/query?a=1", as: JSON.self, query: ["b": 2])
            #expect(items == ["a": "1", "b": "2"])
        }
    }

    @Test("downloads and uploads")
    func transfers() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withService { url, _ in
            let file = try await REST.download("\(url)/test/download/hero", to: .directory(folder.path))
            #expect(file.byteCount == 20_000)
            let path = folder.appending(path: "hero.png")
            try await holds(REST.upload("\(url)/test/upload/hero", file: path).isSuccessful)
            let bytes = try Data(contentsOf: path)
            try await holds(REST.upload("\(url)/test/upload/hero", .bytes(bytes), method: .put).isSuccessful)
        }
    }

    private func failure<Result>(of call: () async throws -> Result) async throws -> CumulusError {
        do { _ = try await call() } catch let error as CumulusError { return error }
        throw CancellationError()
    }
}
