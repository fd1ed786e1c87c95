// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusCLI

@Suite struct PagesCommandTests {
    /// Three pages of a list; the third one optionally fails.
    private func transport(failing: Bool = false) -> StubTransport {
        StubTransport { request in
            let page = Query(parsing: request.query ?? "")["page"]?.queryValue.string.flatMap(Int.init) ?? 1
            if page == 3, failing { return .json(["message": "no more"], status: .internalServerError) }
            let link = "<?page=\(page + 1)>; rel=next"
            return .json("[{\"page\":\(page),\"n\":1.50}, \"\u{85}\"]", headers: page < 3 ? ["Link": link] : [:])
        }
    }

    @Test func aPipeGetsOneItemALine() async {
        let console = MemoryConsole()
        let transport = transport()
        let status = await console.run(["http://a.example/list", "q==1", "X-Key:k", "--pages", "all"], over: transport)
        #expect(status == .success, "\(console.notes)")
        let lines = console.output.split(separator: "\n")
        #expect(lines == (1...3).flatMap { ["{\"page\":\($0),\"n\":1.50}", "\"\u{85}\""] })
        #expect(transport.requests.map(\.request.target) == ["/list?q=1", "/list?page=2", "/list?page=3"])
        #expect(transport.requests.allSatisfy { $0.headers["X-Key"] == "k" })
        #expect(transport.requests[0].headers[.accept]?.hasPrefix("application/json") == true)
    }

    @Test func aTerminalGetsThemLaidOutAndCleaned() async {
        let console = MemoryConsole(outputIsTerminal: true)
        let status = await console.run(
            ["http://a.example/list", "--pages", "1", "--pretty", "format"],
            over: transport()
        )
        #expect(status == .success)
        #expect(console.output.hasPrefix("{\n  \"page\": 1,\n  \"n\": 1.50\n}\n"))
        #expect(!console.output.unicodeScalars.contains("\u{85}"))
    }

    @Test func noMorePagesAreReadThanWanted() async {
        let console = MemoryConsole()
        let transport = transport()
        #expect(await console.run(["get", "http://a.example/list", "--pages", "2"], over: transport) == .success)
        #expect(console.output.split(separator: "\n").count == 4)
        #expect(transport.requests.count == 2)
    }

    @Test func anErrorLeavesWhatCame() async {
        let console = MemoryConsole()
        let status = await console.run(["http://a.example/list", "--pages=all"], over: transport(failing: true))
        #expect(status == .serverError)
        #expect(console.output.split(separator: "\n").count == 4)
        #expect(console.notes.count == 1)
    }

    @Test("a page without a body is an error, which names the page")
    func emptyPage() async {
        let transport = StubTransport { request in
            request.query == nil
                ? .json("[1]", headers: ["Link": "<?page=2>; rel=next"])
                : .response(headers: [.contentType: "application/json"])
        }
        let console = MemoryConsole()
        let status = await console.run(["http://a.example/list", "--pages=all"], over: transport)
        #expect(status == .failure && console.output == "1\n", "\(console.output)")
        let line = "cumulus: paging: http://a.example/list?page=2: the page has no body, but its status is 200, not 204"
        #expect(console.notes == [line], "\(console.notes)")
    }

    @Test("pages are held for a table up to a limit, and those before it are printed")
    func longPages() async {
        let page = Array("[1".utf8) + [UInt8](repeating: 0x20, count: 16 << 20) + Array("]".utf8)
        let transport = StubTransport { request in
            let link = "<?page=\(request.number + 1)>; rel=next"
            return .response(headers: ["Content-Type": "application/json", "Link": link], body: page)
        }
        let console = MemoryConsole()
        let status = await console.run(["http://a.example/list", "--pages=all", "--as", "csv"], over: transport)
        #expect(status == .failure, "\(console.notes)")
        #expect(console.output == "value\r\n1\r\n1\r\n1\r\n", "\(console.output)")
        #expect(console.notes.last?.contains("the pages are longer than 64 MiB") == true)
    }

    @Test("a page that is no list is told without names of types")
    func notAList() async {
        let transport = StubTransport { _ in
            .response(headers: [.contentType: "text/html"], body: Array("<html></html>".utf8))
        }
        let console = MemoryConsole()
        let status = await console.run(["http://a.example/list", "--pages=all"], over: transport)
        #expect(status == .failure)
        #expect(
            console.notes == [
                "cumulus: decoding: http://a.example/list: --pages needs a JSON list, but this response is text/html"
            ]
        )
    }

    @Test func aReaderWhoHasSeenEnoughEndsIt() async {
        let console = MemoryConsole(outputIsClosed: true)
        #expect(await console.run(["http://a.example/list", "--pages=all"], over: transport()) == .success)
        #expect(console.notes.isEmpty)
    }

    @Test(
        "the rule can be chosen",
        arguments: [
            "cursor at=meta.next query=after items=rows", "header field=X-Next query=after items=/rows",
            #"{"rule": "last", "at": "n", "query": "after", "items": "rows"}"#, "page query=after first=1 items=rows",
        ]
    )
    func rules(rule: String) async {
        let console = MemoryConsole()
        let transport = StubTransport { request in
            let page = Query(parsing: request.query ?? "")["after"]?.queryValue.string.flatMap(Int.init) ?? 1
            if page > 3 { return .json(["rows": [], "other": [], "meta": ["next": 0]] as JSON) }
            let next: JSON = .number(.init(page + 1))
            return .json(
                ["rows": [["n": next]], "other": [1], "meta": ["next": next]] as JSON,
                headers: ["X-Next": "\(page + 1)"]
            )
        }
        let status = await console.run(["http://a.example/list", "--pages=3", "--paging", rule], over: transport)
        #expect(status == .success, "\(console.notes)")
        #expect(console.output == "{\"n\":2}\n{\"n\":3}\n{\"n\":4}\n")
        #expect(transport.requests.map(\.request.target) == ["/list", "/list?after=2", "/list?after=3"])
    }

    @Test(arguments: [
        ("links", [], "--paging needs --pages"), ("nothing", ["--pages=1"], "is unknown; the rules are"),
        ("cursor at=x", ["--pages=1"], "requires query"), ("links x", ["--pages=1"], "not name=value"),
        ("{", ["--pages=1"], "begins like JSON"), ("", ["--pages=1"], "is unknown; the rules are"),
        ("page first=x", ["--pages=1"], "whole number"), ("links at=\u{1B}[2J", ["--pages=1"], "no"),
    ])
    func rulesThatAreNoneAreRefused(rule: String, more: [String], reason: String) async {
        let console = MemoryConsole()
        let transport = transport()
        let status = await console.run(["http://a.example/list", "--paging", rule] + more, over: transport)
        #expect(status == .usage)
        let notes = console.notes.joined(separator: "\n")
        #expect(notes.contains(reason) && !notes.unicodeScalars.contains("\u{1B}"), "\(notes)")
        #expect(transport.requests.isEmpty)
    }

    @Test(
        arguments: [
            ["http://a.example/", "--pages", "0"], ["http://a.example/", "--pages", "some"],
            ["post", "http://a.example/", "--pages", "1"], ["http://a.example/", "a=b", "--pages", "1"],
            ["http://a.example/", "--pages", "1", "-v"], ["http://a.example/", "--pages", "1", "-o", "f"],
            ["http://a.example/", "--pages", "1", "-w", "{status}"],
        ]
    )
    func mistakesAreToldBeforeAnythingIsSent(arguments: [String]) async {
        let console = MemoryConsole()
        let transport = transport()
        #expect(await console.run(arguments, over: transport) == .usage)
        #expect(transport.requests.isEmpty)
    }

    @Test func offlineShowsTheFirstRequest() async {
        let console = MemoryConsole()
        let status = await console.run("http://a.example/list", "--pages", "all", "--offline")
        #expect(status == .success)
        #expect(console.output.hasPrefix("GET /list HTTP/1.1"))
    }

    @Test("--filter takes values of each item, in every form")
    func filtered() async {
        let transport = StubTransport { request in
            let link = request.query == nil ? "<?page=2>; rel=next" : "<?page=2>; rel=first"
            return .json("[{\"page\": \(request.query == nil ? 1 : 2), \"n\": 3}]", headers: ["Link": link])
        }
        let plain = MemoryConsole()
        #expect(await plain.run(["http://a.example/", "--pages=2", "--filter", ".page"], over: transport) == .success)
        #expect(plain.output == "1\n2\n")
        let form = MemoryConsole()
        let words = ["http://a.example/", "--pages=2", "--filter", ".page", "--as", "json"]
        #expect(await form.run(words, over: transport) == .success)
        #expect(form.output == "[1,2]\n")
    }

    @Test(
        "a list that may have more pages ends with a warning and its own exit code",
        arguments: [
            (#"[{"n":1}]"#, [], "it has no link to the next page"),
            (#"{"items":[{"n":1}]}"#, [], "no link to the next page"),
            (#"{"items":[{"n":1}],"total":3}"#, [], "1 of 3 items"), (#"{"id":1,"tags":[{"n":1}]}"#, [], "'tags'"),
            (#"{"items":[{"n":1}],"meta":{"next":"b"}}"#, ["--paging", "cursor at=meta.nxt query=c"], "'meta.nxt'"),
            (#"{"items":[{"n":1}],"next_cursor":"b"}"#, [], "; try --paging 'cursor at=next_cursor query=cursor'"),
            (#"{"items":[{"n":1}],"has_more":true}"#, [], "; --paging can describe how"),
            (#"{"_embedded":{"a":[{"n":1}]},"_links":{"next":7}}"#, [], "_links.next"),
        ]
    )
    func doubts(body: String, more: [String], text: String) async {
        let transport = StubTransport { _ in .json(body) }
        for option in [[], ["--as", "json"]] {
            let console = MemoryConsole()
            let status = await console.run(["http://a.example/list", "--pages=all"] + more + option, over: transport)
            #expect(status == .morePages && status.rawValue == 16)
            #expect(console.output.contains(#"{"n":1}"#), "\(console.output)")
            #expect(console.notes.count == 1 && console.notes[0].contains(text), "\(console.notes)")
        }
        let first = MemoryConsole()
        #expect(await first.run(["http://a.example/list", "--pages=1"] + more, over: transport) == .success)
        #expect(first.notes.isEmpty && first.output == "{\"n\":1}\n", "\(first.notes)")
    }

    @Test(
        "a list that says that it ends is a success",
        arguments: [
            "[]", #"{"items":[{"n":1}],"next":null}"#, #"{"items":[{"n":1}],"total":1}"#,
            #"{"items":[],"has_more":false}"#,
        ]
    )
    func ends(body: String) async {
        let console = MemoryConsole()
        let transport = StubTransport { _ in .json(body) }
        #expect(await console.run(["http://a.example/list", "--pages=all"], over: transport) == .success)
        #expect(console.notes.isEmpty, "\(console.notes)")
    }

    @Test("equal names in an object are reported once, not lost silently", arguments: [[], ["--as", "csv"]])
    func equalNames(more: [String]) async {
        let transport = StubTransport { request in
            let link = request.query == nil ? "<?page=2>; rel=next" : "<?page=2>; rel=first"
            return .json("[{\"a\": 1, \"a\": 2}]", headers: ["Link": link])
        }
        let console = MemoryConsole()
        #expect(await console.run(["http://a.example/", "--pages=all"] + more, over: transport) == .success)
        #expect(transport.requests.count == 2)
        #expect(console.notes.count == 1 && console.notes[0].contains("'a' more than once"), "\(console.notes)")
    }
}
