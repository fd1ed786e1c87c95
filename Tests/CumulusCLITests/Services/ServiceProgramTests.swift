// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusServices
import CumulusTestServer
import Foundation
import TestSupport
import Testing

@testable import CumulusCLI

/// `cumulus services` and `cumulus call`, with the built program.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct ServiceProgramTests {
    private static let document = """
        {"openapi": "3.1.0", "info": {"title": "Tea"}, "security": [{"key": []}], "paths": {
          "/orders": {
            "get": {"operationId": "list", "security": [], "parameters": [
              {"name": "limit", "in": "query", "schema": {"type": "integer"}}]},
            "post": {"operationId": "add", "requestBody": {"content": {"application/json": {"schema":
              {"type": "object", "required": ["kind"], "properties":
                {"kind": {"enum": ["green", "black"]}, "grams": {"type": "integer"}}}}}}}},
          "/orders/{id}": {"get": {"operationId": "one", "security": [], "parameters": [
              {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}]}}},
         "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}}}
        """

    private func run(_ home: TemporaryFolder, _ arguments: String...) async throws -> BuiltProgram.End {
        let folders = "HOME='\(home.path)' XDG_CONFIG_HOME='\(home.path)' XDG_STATE_HOME='\(home.path)/state'"
        let program = try BuiltProgram(arguments, shell: "cd '\(home.path)' && export \(folders) && exec \"$@\"")
        try program.write()
        return try await program.end()
    }

    @Test("a service that can't be read doesn't hide the others, and is no success")
    func unreadableService() async throws {
        let home = try TemporaryFolder()
        let services = "\(home.path)/cumulus/services"
        try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: true)
        let good = #"{"name": "tea", "baseURL": "http://127.0.0.1:9", "endpoints": [{"name": "a", "template": "a"}]}"#
        try good.write(toFile: "\(services)/tea.json", atomically: true, encoding: .utf8)
        #expect(try await run(home, "services", "list").status == 0)
        try "{".write(toFile: "\(services)/broken.json", atomically: true, encoding: .utf8)
        let end = try await run(home, "services", "list")
        #expect(end.status == CommandStatus.usage.rawValue, "\(end)")
        #expect(end.output.contains("tea") && end.notes.contains("broken"), "\(end)")
    }

    @Test func aServiceIsImportedShownAndCalled() async throws {
        let home = try TemporaryFolder()
        try await withLoopbackServer(
            routes: { routes in
                routes.get("/openapi.json") { _ in .json(Self.document) }
                routes.get("/orders") { request in
                    let page = request.queryValue("page") ?? "1"
                    let next = "<?page=2&limit=\(request.queryValue("limit") ?? "")>; rel=next"
                    return .json("[\"\(page)a\", \"\(page)b\"]", headers: page == "1" ? ["Link": next] : [:])
                }
                routes.get("/orders/:id") { request in .text("order \(request.path)") }
                routes.post("/orders") { request in .text("\(request.headers["X-Key"] ?? "") \(request.text)") }
            },
            { server in
                let added = try await run(home, "services", "import", "\(server.url)/openapi.json")
                #expect(added.status == 0 && added.output.hasPrefix("tea: 3 endpoints, 0 gaps"), "\(added)")
                #expect(try await run(home, "services").output.contains("tea"))
                #expect(try await run(home, "services", "show", "tea", "add").output.contains("green|black"))
                #expect(try await run(home, "services", "verify", "tea").status == 0)
                let one = try await run(home, "call", "tea", "one", "id=a/../b?c=d")
                #expect(one.output.contains("order /orders/a%2F..%2Fb%3Fc%3Dd"), "\(one)")
                let made = try await run(home, "call", "tea", "add", "kind=green", "grams=50", "-a", "k3y")
                #expect(made.output.contains(#"k3y {"kind":"green","grams":50}"#), "\(made)")
                let pages = try await run(home, "call", "tea", "list", "limit=2", "--pages", "all")
                #expect(pages.output == "\"1a\"\n\"1b\"\n\"2a\"\n\"2b\"\n", "\(pages)")
                for (words, reason) in [
                    (["one"], "needs 'id'"), (["one", "id=1", "idd=2"], "no parameter 'idd'"), (["two"], "no endpoint"),
                    (["add", "kind=red"], "not a valid value"), (["add", "kind=green", "grams=x"], "whole number"),
                ] {
                    let wrong = try await run(home, ["call", "tea"] + words)
                    #expect(wrong.status == 64 && wrong.notes.contains(reason), "\(wrong)")
                }
            }
        )
    }

    private func run(_ home: TemporaryFolder, _ arguments: [String]) async throws -> BuiltProgram.End {
        let program = try BuiltProgram(arguments, shell: "XDG_CONFIG_HOME='\(home.path)' exec \"$@\"")
        try program.write()
        return try await program.end()
    }

    @Test("a removed service is gone, and a file elsewhere is not removed")
    func removal() async throws {
        let home = try TemporaryFolder()
        let text =
            #"{"name": "shop", "baseURL": "http://127.0.0.1:9", "endpoints": [{"name": "addOrder", "template": "a"}]}"#
        let file = try home.write(text, to: "shop.json")
        #expect(try await run(home, "services", "import", file).status == 0)
        for name in ["add_order", "addorder", "ADD-ORDER", "addOrder"] {
            let end = try await run(home, "call", "shop", name, "--offline")
            #expect(end.status == 0 && end.output.hasPrefix("GET /a HTTP/1.1"), "\(end)")
        }
        #expect(try await run(home, "services", "remove", "shop").status == 0)
        #expect(try await run(home, "services", "list").output.hasPrefix("no services yet"))
        let elsewhere = try await run(home, "services", "remove", file)
        #expect(
            elsewhere.status == 64 && elsewhere.notes.contains("it is not in your services folder"),
            "\(elsewhere)"
        )
        #expect(home.names.contains("shop.json"))
    }

    @Test func aFileOfAProjectIsCalledOnlyWhenTrusted() async throws {
        let home = try TemporaryFolder()
        let text = #"{"name": "here", "baseURL": "http://127.0.0.1:9", "endpoints": [{"name": "a", "template": "a"}]}"#
        try text.write(toFile: "\(home.path)/here.json", atomically: true, encoding: .utf8)
        let refused = try await run(home, "call", "here", "a", "--offline")
        #expect(refused.status == 64 && refused.notes.contains("not trusted"), "\(refused)")
        #expect(try await run(home, "services", "trust", "here.json").status == 0)
        let called = try await run(home, "call", "here", "a", "--offline")
        #expect(called.status == 0 && called.output.hasPrefix("GET /a HTTP/1.1"), "\(called)")
        try (text + " ").write(toFile: "\(home.path)/here.json", atomically: true, encoding: .utf8)
        #expect(try await run(home, "call", "here", "a", "--offline").status == 64)
    }

    @Test("the bytes that are trusted are those that are used, whatever the file holds by then")
    func trustedBytes() async throws {
        let home = try TemporaryFolder()
        let file = "\(home.path)/s.json"
        let trust = try #require(ServiceTrust(.of(environment: ["XDG_STATE_HOME": home.path])))
        let rest = #", "baseURL": "http://127.0.0.1:9", "endpoints": [{"name": "a", "template": "a"}]}"#
        let (shown, swapped) = (Array(#"{"name": "shown"\#(rest)"#.utf8), Array(#"{"name": "swapped"\#(rest)"#.utf8))
        try Data(swapped).write(to: URL(fileURLWithPath: file))
        try await trust.trust(file, shown)
        #expect(try trust.trusts(file, shown))
        #expect(try !trust.trusts(file, swapped))
        #expect(try ServiceFile(shown, path: file).service.name == "shown")
    }

    @Test func aProfileOfCyclesWorksAsItIs() async throws {
        let home = try TemporaryFolder()
        let folder = "\(home.path)/cumulus/services"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try CallTests.profile.write(toFile: "\(folder)/GH.plist", atomically: true, encoding: .utf8)
        let end = try await run(home, "call", "GH", "user", "login=weipin", "--curl")
        #expect(end.output.contains("https://api.github.com/users/weipin"), "\(end)")
    }
}
