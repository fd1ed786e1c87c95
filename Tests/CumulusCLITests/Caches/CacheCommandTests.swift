// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// `cumulus cache`, on what `--cache` has kept.
@Suite(.timeLimit(.minutes(10))) struct CacheCommandTests {
    private let home: TemporaryFolder
    private var folder: String { "\(home.path)/cumulus" }
    private let transport = StubTransport { request in
        .response(
            headers: [
                "Cache-Control": "max-age=3600", "Content-Type": "text/plain; charset=utf-8",
                "Location": "/y?token=topsecret", "X-Note": "caf\u{e9}",
            ],
            body: Array(request.path.utf8)
        )
    }

    init() throws { home = try TemporaryFolder() }

    private func run(_ arguments: String..., expecting expected: CommandStatus = .success) async -> MemoryConsole {
        let console = MemoryConsole(environment: ["XDG_CACHE_HOME": home.path])
        let status = await console.run(arguments, over: transport)
        #expect(status == expected, "\(arguments): \(console.notes)")
        return console
    }

    private func fill() async {
        for word in ["http://a.example/x", "http://a.example/y?token=topsecret", "https://b.example/z"] {
            _ = await run(word, "--cache", folder)
        }
    }

    @Test("list has a line for each response, without the values of queries") func list() async {
        await fill()
        let lines = await run("cache", "list").output.components(separatedBy: "\n").filter { !$0.isEmpty }
        #expect(lines.count == 4 && lines[0].hasPrefix("STATUS  TYPE        SIZE"))
        #expect(
            lines[1].contains("text/plain") && lines[1].contains("fresh ")
                && lines[1].hasSuffix("GET http://a.example/x")
        )
        #expect(lines[2].hasSuffix("GET http://a.example/y?token=<redacted>"))
        for prefix in ["https://b", "b.example/", "b."] {
            let some = await run("cache", "list", prefix, "--cache", folder).output
            #expect(some.contains("https://b.example/z") && !some.contains("a.example"), "\(prefix)")
        }
        #expect(await run("cache", "list", "c.example").output == "no responses\n")
        #expect(await run("cache").output.contains("STATUS"))
    }

    @Test("show prints heads without secrets, and what would be done now") func show() async {
        await fill()
        let shown = await run("cache", "show", "http://a.example/y?token=topsecret").output
        #expect(shown.hasPrefix("GET http://a.example/y?token=<redacted>\n200 OK\n2 B, for "))
        #expect(shown.contains("\nfresh for another ") && shown.contains("\nContent-Type: text/plain; charset=utf-8\n"))
        #expect(shown.contains("\nLocation: /y?token=<redacted>\n") && !shown.contains("topsecret"))
        let none = await run("cache", "show", "http://a.example/none", expecting: .failure)
        #expect(none.notes == ["cumulus: no response is kept for 'http://a.example/none'"])
    }

    @Test("clear removes one URL's responses, or all, and says how many") func clear() async {
        await fill()
        #expect(await run("cache", "clear", "http://a.example/x").output == "removed 1 response\n")
        #expect(await run("cache", "clear", "http://a.example/x").output == "removed 0 responses\n")
        #expect(await run("cache", "clear").output == "removed 2 responses\n")
        #expect(await run("cache", "list").output == "no responses\n")
    }

    @Test("what it does is completed, and after --cache the folders") func completion() throws {
        let surroundings = Surroundings.of(environment: [:])
        #expect(Completion(["cache", ""], in: surroundings).candidates.map(\.word) == ["list", "show", "clear"])
        #expect(Completion(["cache", "--c"], in: surroundings).candidates.map(\.word) == ["--cache"])
        #expect(Completion(["cac"], in: surroundings).candidates.map(\.word) == ["cache"])
    }

    @Test("a folder without a cache, and a line that means nothing, are errors") func mistakes() async throws {
        func note(_ arguments: String..., expecting status: CommandStatus) async -> String {
            let console = MemoryConsole(environment: ["XDG_CACHE_HOME": home.path])
            #expect(await console.run(["cache"] + arguments, over: transport) == status)
            return console.notes.joined(separator: "\n")
        }
        #expect(await note("list", expecting: .disk).contains("No such file or directory"))
        #expect(await note("list", "--cache", home.path, expecting: .disk).contains("there is no cache in it"))
        let file = try home.write("", to: "file")
        #expect(await note("clear", "--cache", file, expecting: .disk).contains("Not a directory"))
        _ = try home.write("", to: "old/cumulus-responses-1/key")
        #expect(await note("list", "--cache", "\(home.path)/old", expecting: .disk).contains("of another version"))
        #expect(await note("show", expecting: .usage).contains("show takes a URL"))
        #expect(await note("list", "a", "b", expecting: .usage).contains("more than one URL"))
        #expect(await note("lsit", expecting: .usage).contains("nothing that cache does by"))
        #expect(await note("list", "--cache", "off", expecting: .usage).contains("takes a folder"))
    }
}
