// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// `cumulus call` and `cumulus services`, with files in their own folders.
@Suite(.timeLimit(.minutes(10))) struct CallTests {
    /// A profile of Cycles, as in its programs.
    static let profile = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>BaseURL</key><string>https://api.github.com</string>
        <key>Resources</key><array>
        <dict><key>Name</key><string>user</string><key>URITemplate</key><string>/users/{login}</string></dict>
        <dict><key>Name</key><string>search</string><key>URITemplate</key>
        <string>/search/users{?q,page}</string></dict>
        <dict><key>Name</key><string>createIssue</string><key>URITemplate</key>
        <string>/repos/{owner}/{repo}/issues</string><key>Method</key><string>POST</string></dict>
        </array></dict></plist>
        """

    private static let shop = """
        {"name": "shop", "baseURL": "http://127.0.0.1:9/v1", "authorization": ["header X-Key"], "endpoints": [
          {"name": "orders", "template": "orders{?tags*}", "authorization": "none", "parameters": [
            {"name": "tags", "in": "query", "kind": "list"}, {"name": "limit", "kind": "integer"},
            {"name": "sort", "values": ["up", "down"]}, {"name": "trace", "in": "header", "field": "X-Trace"}]},
          {"name": "order", "template": "orders/{id}", "responseFormat": "json"},
          {"name": "add", "method": "POST", "template": "orders", "parameters": [
            {"name": "article", "in": "body", "required": true}, {"name": "count", "in": "body", "kind": "integer"},
            {"name": "words", "in": "body", "kind": "list"}, {"name": "where", "in": "body", "field": "place"}]},
          {"name": "photo", "method": "PUT", "template": "photo", "bodyFormat": "multipart", "parameters": [
            {"name": "file", "in": "body", "kind": "file"}, {"name": "title", "in": "body"}]},
          {"name": "free", "method": "POST", "template": "free"}]}
        """

    private func withHome(_ body: (TemporaryFolder) async throws -> Void) async throws {
        let home = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: "\(home.path)/cumulus/services",
            withIntermediateDirectories: true
        )
        try Self.shop.write(toFile: "\(home.path)/cumulus/services/shop.json", atomically: true, encoding: .utf8)
        try Self.profile.write(toFile: "\(home.path)/cumulus/services/GH.plist", atomically: true, encoding: .utf8)
        try await body(home)
    }

    /// Runs the command; returns its status, its output and its notes.
    private func run(
        _ home: TemporaryFolder,
        _ arguments: String...,
        transport: (any Transport)? = nil
    ) async -> (status: CommandStatus, output: String, notes: String) {
        let memory = MemoryConsole(
            environment: ["XDG_CONFIG_HOME": home.path, "XDG_STATE_HOME": "\(home.path)/state", "HOME": home.path]
        )
        let run = transport.map { given in CommandRun(memory.console) { _ in given } } ?? CommandRun(memory.console)
        let status = await run.run(arguments)
        return (status, memory.output, memory.notes.joined(separator: "\n"))
    }

    /// The first line of the request and its body, without sending it.
    private func request(_ home: TemporaryFolder, _ arguments: String...) async -> String {
        let memory = MemoryConsole(environment: ["XDG_CONFIG_HOME": home.path, "HOME": home.path])
        let status = await CommandRun(memory.console).run(["call"] + arguments + ["--curl"])
        return status == .success ? memory.output : memory.notes.joined(separator: "\n")
    }

    @Test func aProfileOfCyclesWorksAsItIs() async throws {
        try await withHome { home in
            #expect(await request(home, "GH", "user", "login=weipin").contains("https://api.github.com/users/weipin"))
            let search = await request(home, "GH", "search", "q=a b", "page=2")
            #expect(search.contains("https://api.github.com/search/users?q=a%20b&page=2"))
            let issue = await request(home, "GH", "createIssue", "owner=o", "repo=r", "title=T")
            #expect(issue.contains("https://api.github.com/repos/o/r/issues"))
            #expect(issue.contains(#"{"title":"T"}"#))
        }
    }

    @Test func valuesGoWhereTheEndpointHasThem() async throws {
        try await withHome { home in
            let list = await request(home, "shop", "orders", "tags=a,b", "limit=3", "trace=t", "X-Own:1", "more==2")
            #expect(list.contains("tags=a&tags=b"), "\(list)")
            #expect(list.contains("limit=3"))
            #expect(list.contains("more=2"))
            #expect(list.contains("X-Trace: t"))
            #expect(list.contains("X-Own: 1"))
            #expect(await request(home, "shop", "orders", "tags=a", "tags=b").contains("tags=a&tags=b"))
            let order = await request(home, "shop", "order", "id=a/b?c")
            #expect(order.contains("orders/a%2Fb%3Fc"), "\(order)")
            #expect(order.contains("Accept: application/json"))
        }
    }

    @Test func bodiesAreMadeOfMembers() async throws {
        try await withHome { home in
            let add = await request(home, "shop", "add", "article=tea", "count=2", "words=a,b", "where[city]=Oslo")
            #expect(add.contains(#"{"article":"tea","count":2,"words":["a","b"],"place":{"city":"Oslo"}}"#), "\(add)")
            #expect(await request(home, "shop", "add", "--raw", "{}").contains("{}"))
            #expect(await request(home, "shop", "free", "a[b]:=1").contains(#"{"a":{"b":1}}"#))
            let file = "\(home.path)/cumulus/services/shop.json"
            let photo = await request(home, "shop", "photo", "title=x", "file=\(file)")
            #expect(photo.contains("--form-string 'title=x'"), "\(photo)")
            #expect(photo.contains("-F 'file=@"), "\(photo)")
        }
    }

    @Test(
        "a value that does not fit is refused, with what the endpoint accepts",
        arguments: [
            (["shop", "order"], "needs 'id'", "id*"), (["shop", "add"], "needs 'article'", "article*"),
            (["shop", "order", "id=1", "idd=2"], "no parameter 'idd'", "did you mean id"),
            (["shop", "orders", "limit=x"], "must be a whole number", "services show shop orders"),
            (["shop", "orders", "sort=left"], "must be one of up, down", "show"),
            (["shop", "add", "article=x", "count=1.5"], "must be a whole number", ""),
            (["shop", "ordr", "id=1"], "no endpoint 'ordr'", "did you mean order"),
            (["shp", "order"], "unknown service 'shp'", "did you mean shop"),
            (["shop"], "missing endpoint", "endpoints: orders"),
            ([], "missing service", "cumulus call SERVICE"), (["shop", "order", "id=1", "id=2"], "set twice", ""),
            (["shop", "order", "id=.."], "is not below the service", ""),
            (["shop", "order", "id=1", "https://x.example"], "the URL", ""),
            (["shop", "order", "id=1", "--server", "no"], "no server 'no'", ""),
        ]
    )
    func refusals(_ words: [String], reason: String, hint: String) async throws {
        try await withHome { home in
            let memory = MemoryConsole(environment: ["XDG_CONFIG_HOME": home.path, "HOME": home.path])
            let status = await CommandRun(memory.console).run(["call"] + words)
            let notes = memory.notes.joined(separator: "\n")
            #expect(status == .usage)
            #expect(notes.contains(reason), "\(notes)")
            #expect(hint.isEmpty || notes.contains(hint), "\(notes)")
        }
    }

    @Test func credentialsTakeTheFormThatTheServiceAsksFor() async throws {
        try await withHome { home in
            let keyed = await request(home, "shop", "order", "id=1", "-a", "k3y", "--show-secrets")
            #expect(keyed.contains("X-Key: k3y"), "\(keyed)")
            let transport = StubTransport { _ in .text("ok") }
            let end = await run(home, "call", "shop", "order", "id=1", transport: transport)
            #expect(end.status == .success)
            #expect(end.notes.contains("requires credentials (header X-Key)"))
            let free = await run(home, "call", "shop", "orders", transport: transport)
            #expect(free.notes.isEmpty, "\(free.notes)")
        }
    }

    @Test func serverMayBeAPortOfThisMachine() async throws {
        try await withHome { home in
            let end = await run(home, "call", "shop", "order", "id=1", "--server", ":9000", "--offline")
            #expect(end.status == .success && end.output.contains("localhost:9000"), "\(end)")
        }
    }

    @Test func serversElsewhereGetNoCredentialsUntilTheyAreNamed() async throws {
        try await withHome { home in
            let text = """
                {"name": "far", "servers": [{"name": "main", "url": "https://far.example", "foreign": true}],
                 "endpoints": [{"name": "a", "template": "a"}]}
                """
            try text.write(toFile: "\(home.path)/cumulus/services/far.json", atomically: true, encoding: .utf8)
            let transport = StubTransport { request in .text(request.headers[.authorization] ?? "nothing") }
            let refused = await run(home, "call", "far", "a", "-a", "ada:pw", transport: transport)
            #expect(refused.status == .usage)
            #expect(refused.notes.contains("--server https://far.example"), "\(refused.notes)")
            // The description names no scheme, so the items' own names count.
            for item in ["X-Api-Key:k", "Cookie:a=b", "api_key==k"] {
                let end = await run(home, "call", "far", "a", item, transport: transport)
                #expect(end.status == .usage && transport.lastRequest == nil, "\(item)")
            }
            let named = await run(home, "call", "far", "a", "-a", "ada:pw", "--server", "main", transport: transport)
            #expect(named.output.contains("Basic"))
            #expect(await run(home, "call", "far", "a", transport: transport).output.contains("nothing"))
        }
    }

    @Test func filesElsewhereAreCalledOnlyWhenTrustedAndUnchanged() async throws {
        try await withHome { home in
            let path = "\(home.path)/project.json"
            try Self.shop.write(toFile: path, atomically: true, encoding: .utf8)
            let transport = StubTransport { _ in .text("ok") }
            let refused = await run(home, "call", path, "orders", transport: transport)
            #expect(refused.status == .usage)
            #expect(refused.notes.contains("cumulus services trust"))
            #expect(transport.lastRequest == nil)
            #expect(await run(home, "services", "trust", path).status == .success)
            #expect(await run(home, "call", path, "orders", transport: transport).status == .success)
            try Self.shop.replacingOccurrences(of: "127.0.0.1", with: "evil.example").write(
                toFile: path,
                atomically: true,
                encoding: .utf8
            )
            #expect(await run(home, "call", path, "orders", transport: transport).status == .usage)
        }
    }

    @Test func servicesAreListedAndShown() async throws {
        try await withHome { home in
            let list = await run(home, "services")
            #expect(list.output.contains("GH"))
            #expect(list.output.contains("http://127.0.0.1:9/v1"))
            let shop = await run(home, "services", "show", "shop")
            #expect(shop.output.contains("GET orders/{id}"), "\(shop.output)")
            let add = await run(home, "services", "show", "shop", "add")
            #expect(add.output.contains("article    body"), "\(add.output)")
            #expect(add.output.contains("sent as place"))
            #expect(await run(home, "services", "verify", "GH").output.contains("3 endpoints, 0 problems, 0 gaps"))
        }
    }

    @Test func descriptionsCanNotSteerTheTerminal() async throws {
        try await withHome { home in
            let text =
                #"{"name": "x\u001b[2J", "baseURL": "http://h", "endpoints": [{"name": "a\u001b[1m", "template": "a", "summary": "\u0007"}]}"#
            try text.write(toFile: "\(home.path)/cumulus/services/bad.json", atomically: true, encoding: .utf8)
            for words in [["show", "bad"], ["show", "bad", "a\u{1B}[1m"], ["list"], ["verify", "bad"]] {
                let memory = MemoryConsole(environment: ["XDG_CONFIG_HOME": home.path])
                _ = await CommandRun(memory.console).run(["services"] + words)
                #expect(!memory.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
            }
        }
    }

    @Test func namesAreCompleted() async throws {
        try await withHome { home in
            let completion = CallCompletion(.of(environment: ["XDG_CONFIG_HOME": home.path]))
            #expect(completion.candidates(["cal"]) == ["call"])
            #expect(completion.candidates(["call", ""]) == ["GH", "shop"])
            #expect(completion.candidates(["call", "shop", "or"]) == ["orders", "order"])
            #expect(completion.candidates(["call", "shop", "orders", "limit=1", ""]) == ["tags=", "sort=", "trace="])
            #expect(completion.candidates(["call", "no", ""]).isEmpty)
            // The command's own completion has them as well.
            let general = Completion(["call", "shop", "or"], in: .of(environment: ["XDG_CONFIG_HOME": home.path]))
            #expect(general.candidates.map(\.word) == ["orders", "order"])
        }
    }

    @Test func anOpenAPIDocumentIsImportedFromAURL() async throws {
        try await withHome { home in
            let document = """
                {"openapi": "3.1.0", "info": {"title": "The Shop!"}, "paths": {"/orders/{id}": {"get":
                  {"operationId": "get order", "parameters": [{"name": "id", "in": "path"}, {"name": "c", "in": "cookie"}]}}}}
                """
            try await withLoopbackServer(
                routes: { routes in
                    routes.get("/openapi.json") { _ in .json(document) }
                    routes.get("/orders/*") { request in .text("order \(request.path)") }
                },
                { server in
                    let end = await run(home, "services", "import", "\(server.url)/openapi.json")
                    #expect(end.output.hasPrefix("the-shop: 1 endpoint, 1 gap"), "\(end.output) \(end.notes)")
                    #expect(end.notes.contains("/paths/~1orders~1{id}/get/parameters/1"))
                    let called = await run(home, "call", "the-shop", "get order", "id=7")
                    #expect(called.output.contains("order /orders/7"), "\(called.notes)")
                    let again = await run(home, "services", "import", "\(server.url)/openapi.json")
                    #expect(again.status == .usage)
                    #expect(again.notes.contains("--overwrite"))
                    let missing = await run(home, "services", "import", "\(server.url)/nothing")
                    #expect(missing.status == .clientError && missing.notes.contains("404"), "\(missing.notes)")
                }
            )
        }
    }

    @Test(
        "a text that describes no endpoint is not imported",
        arguments: [
            (#"{"openapi": "3.0.0", "servers": [{"url": "http://x.y"}]}"#, "no usable endpoint"),
            (#"{"openapi": "3.0.0", "paths": []}"#, "no usable endpoint: /paths: the paths must be an object"),
            ("<!doctype html><p>hello", "HTML or XML"),
        ]
    )
    func uselessDescriptions(text: String, reason: String) async throws {
        try await withHome { home in
            let path = "\(home.path)/x"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let end = await run(home, "services", "import", path)
            #expect(end.status == .usage && end.notes.contains(reason), "\(end.notes)")
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(home.path)/cumulus/services").sorted()
            #expect(names == ["GH.plist", "shop.json"])
        }
    }

    @Test func aYAMLFileIsImportedWithABaseOfItsOwn() async throws {
        try await withHome { home in
            let path = "\(home.path)/tea.yaml"
            let text = "openapi: 3.0.0\ninfo: {title: Tea}\npaths:\n  /a:\n    get: {operationId: a}\n"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let refused = await run(home, "services", "import", path)
            #expect(refused.notes.contains("--base"))
            let end = await run(home, "services", "import", path, "--base", "localhost:1/v2", "--name", "t")
            #expect(end.status == .success, "\(end.notes)")
            #expect(await request(home, "t", "a").contains("http://localhost:1/v2/a"))
        }
    }
}
