// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
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
        #expect(none.notes == ["cumulus: no response is stored for 'http://a.example/none'"])
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

    @Test("a folder without a cache has no responses", arguments: [nil, "", "/none"]) func noCache(folder: String?)
        async
    {
        let option = folder.map { ["--cache", home.path + $0] } ?? []
        for (words, status, text) in [
            (["list"], .success, "no responses\n"), (["clear"], .success, "removed 0 responses\n"),
            (["show", "http://a.example/x"], .failure, ""),
        ] as [([String], CommandStatus, String)] {
            let console = MemoryConsole(environment: ["XDG_CACHE_HOME": home.path + "/caches"])
            #expect(await console.run(["cache"] + words + option, over: transport) == status)
            #expect(console.output == text)
        }
    }

    @Test("`~` in --cache is the home folder") func homeFolder() async {
        let console = MemoryConsole(environment: ["HOME": home.path])
        #expect(await console.run(["http://a.example/x", "--cache", "~/responses"], over: transport) == .success)
        #expect(FilePath("\(home.path)/responses").exists && !FilePath("~").exists)
        let again = MemoryConsole(environment: ["HOME": home.path])
        #expect(await again.run(["cache", "list", "--cache", "~/responses"], over: transport) == .success)
        #expect(again.output.contains("http://a.example/x"))
    }

    @Test("a folder that can't be used is named in the warning, with the reason") func warnings() async throws {
        let file = try home.write("", to: "file")
        let console = await run("http://a.example/x", "--cache", file)
        let notes = console.notes.joined(separator: "\n")
        #expect(notes.contains("warning: the cache can't use its folder") && notes.contains("Not a directory"))
        #expect(notes.contains(file))
    }

    @Test("a run waits for the refresh of a stale response") func refreshes() async throws {
        let transport = StubTransport { request in
            // Long after the stale response has been printed.
            if request.number == 2 { for _ in 0..<1_000 { await Task.yield() } }
            return .response(
                headers: ["Cache-Control": "max-age=0, stale-while-revalidate=600"],
                body: Array("\(request.number)".utf8)
            )
        }
        var outputs: [String] = []
        for _ in 0..<2 {
            let console = MemoryConsole(environment: ["XDG_CACHE_HOME": home.path])
            #expect(await console.run(["http://a.example/x", "--cache", folder], over: transport) == .success)
            outputs.append(console.output)
            // The second run has printed the stale response, and has stored the newer one.
            #expect(transport.requests.count == outputs.count)
        }
        let last = MemoryConsole(environment: ["XDG_CACHE_HOME": home.path])
        _ = await last.run(["http://a.example/x", "--cache", folder], over: transport)
        #expect(outputs == ["1", "1"] && last.output == "2")
    }

    @Test("before the first response is stored, there are no responses", arguments: ["list", "clear"])
    func absentFolder(command: String) async throws {
        let console = MemoryConsole(environment: ["XDG_CACHE_HOME": "\(home.path)/absent"])
        #expect(await console.run(["cache", command], over: transport) == .success)
        #expect(console.output == (command == "list" ? "no responses\n" : "removed 0 responses\n"))
    }

    @Test("a line that means nothing, and a folder that can't be read, are errors") func mistakes() async throws {
        func note(_ arguments: String..., expecting status: CommandStatus) async -> String {
            let console = MemoryConsole(environment: ["XDG_CACHE_HOME": home.path])
            #expect(await console.run(["cache"] + arguments, over: transport) == status)
            return console.notes.joined(separator: "\n")
        }
        let file = try home.write("", to: "file")
        #expect(await note("clear", "--cache", file, expecting: .disk).contains("Not a directory"))
        _ = try home.write("", to: "old/cumulus-responses-1/key")
        let old = await note("list", "--cache", "\(home.path)/old", expecting: .disk)
        #expect(old.contains("written by another version"))
        #expect(await note("show", expecting: .usage).contains("cache show needs a URL"))
        #expect(await note("list", "a", "b", expecting: .usage).contains("this command takes one URL"))
        #expect(await note("lsit", expecting: .usage).contains("cache has no command"))
        #expect(await note("list", "--cache", "off", expecting: .usage).contains("needs a folder"))
    }
}
