// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusCLI

/// Command lines that probably mean something else.
@Suite struct DoubtfulLineTests {
    /// Runs a command line; the terminal gives an answer, or isn't there.
    private func run(_ arguments: [String], answer: String?) async -> (
        status: CommandStatus, asked: [String], sent: [String], notes: [String]
    ) {
        let asked = Mutex<[String]>([])
        let sent = Mutex<[String]>([])
        let memory = MemoryConsole()
        var console = memory.console
        console.ask = { question in
            asked.withLock { $0.append(question) }
            return answer
        }
        let transport = StubTransport { request in
            sent.withLock { $0.append("\(request.request.method.rawValue)") }
            return .text("ok")
        }
        let status = await CommandRun(console, makeTransport: { _ in transport }).run(arguments)
        return (status, asked.withLock { $0 }, sent.withLock { $0 }, memory.notes)
    }

    @Test(
        "a misspelt method in capitals is asked about on a terminal",
        arguments: [("GETT", "GET"), ("PATHC", "PATCH"), ("POTS", "POST"), ("DELTE", "DELETE")]
    )
    func asks(method: String, meant: String) async {
        for (answer, isSent) in [("y", true), ("YES", true), ("", false), ("n", false)] {
            let end = await run([method, "a.example"], answer: answer)
            #expect(end.asked.count == 1 && end.asked[0].contains("did you mean \(meant)?"), "\(end)")
            #expect(end.sent == (isSent ? [method] : []) && end.status == (isSent ? .success : .usage), "\(end)")
        }
        let several = await run([method, "a.example", "https://b.example"], answer: "y")
        #expect(several.asked.count == 1 && several.sent.count == 2)
    }

    @Test("in a script it is refused, unless an option confirms it")
    func refuses() async {
        let refused = await run(["GETT", "a.example"], answer: nil)
        #expect(refused.status == .usage && refused.sent.isEmpty)
        #expect(refused.notes.joined().contains("--any-method sends GETT without asking"), "\(refused)")
        let confirmed = await run(["--any-method", "GETT", "a.example"], answer: nil)
        #expect(confirmed.status == .success && confirmed.sent == ["GETT"] && confirmed.asked.isEmpty)
        let looked = await run(["GETT", "a.example", "--offline"], answer: nil)
        #expect(looked.status == .success && looked.asked.isEmpty)
    }

    @Test(
        "methods that exist elsewhere are sent without a question",
        arguments: [
            "PURGE", "PROPFIND", "QUERY", "SEARCH", "REPORT", "LOCK", "LINK", "COPY", "MOVE", "MKCOL", "UPDATE",
        ]
    )
    func others(method: String) async {
        let end = await run([method, "a.example"], answer: nil)
        #expect(end.sent == [method] && end.asked.isEmpty, "\(end)")
    }

    @Test("a wrong profile, a changed file of the folder and a broken base are named rather than the URL")
    func causes() async throws {
        let home = try ConfigurationHome("[profiles.work]\nbase = \"https://a.example\"\n")
        let profile = try await home.run("--profile", "wrok", "/echo")
        #expect(profile.notes.contains("no configuration file defines the profile 'wrok'"), "\(profile)")
        for arguments in [["/echo"], ["download", "/echo"], ["upload", "x", "/echo"], ["edit", "/echo"]] {
            try home.write("[defaults]\nbase = \"https://a.example\"\n", to: "work/.cumulus.toml")
            #expect(try await home.run("trust", "--yes").status == 0)
            try home.write("[defaults]\nbase = \"https://b.example\"\n", to: "work/.cumulus.toml")
            let changed = try await home.run(arguments)
            #expect(changed.status == 64 && changed.notes.contains("has no host"), "\(changed)")
            #expect(changed.notes.contains("warning: ") && changed.notes.contains("has changed since"), "\(changed)")
        }
        let unread = try await home.run("--profile", "wrok", "/echo")
        #expect(unread.notes.contains("profile 'wrok'") && unread.notes.contains("has changed since"), "\(unread)")
        let base = mistake(["x"], in: .of(environment: ["CUMULUS_BASE": "htp://a.example"]))
        #expect(base?.reason.hasPrefix("CUMULUS_BASE: ") == true)
        #expect(mistake(["--base", "htp://a.example", "x"])?.reason.hasPrefix("--base: ") == true)
    }

    @Test(
        "an item in the place of the URL is a mistake, and its value is not shown",
        arguments: [
            ["-b", "sid=hunter2", "a.example"], ["sid=hunter2"], ["@hunter2.json", ":3000/x"],
            ["X-A:1", ":3000/x"], ["q==hunter2", "a.example"], ["post", "a:=1", "a.example"],
        ]
    )
    func itemsFirst(arguments: [String]) {
        let found = mistake(arguments)
        #expect(found?.reason.contains("comes before the URL") == true, "\(String(describing: found))")
        #expect("\(String(describing: found))".contains("hunter2") == false)
    }

    @Test(arguments: [
        (["Content-Type=application/json"], "Content-Type:TEXT is a header"), (["age=:36"], "age:=VALUE is a number"),
    ])
    func dataThatLooksLikeAnotherItemIsSentWithAWarning(items: [String], words: String) throws {
        let notices = try plan([":3000/x"] + items).notices
        #expect(notices.contains { $0.contains(words) }, "\(notices)")
        #expect(try plan([":3000/x", "content-type=a", "time=:x", "a=:"]).notices.isEmpty)
    }

    @Test(
        "commands of other words show no value in the place of the URL either",
        arguments: [["download", "sid=hunter2"], ["edit", "sid=hunter2"], ["upload", "f", "sid=hunter2"]]
    )
    func itemsInCommands(arguments: [String]) {
        let found = mistake(arguments)
        #expect(found?.reason.contains("'sid=' begins an item") == true, "\(String(describing: found))")
    }

    @Test(
        "a host with its port after the URL is another URL rather than a header",
        arguments: ["localhost:3001/b", "localhost:3001", "a.example:8080/x?y=1", "127.0.0.1:80"]
    )
    func secondURL(word: String) throws {
        guard case .requests(let plans) = try Invocation.parse(["localhost:3000/a", word], in: .of()) else {
            Issue.record("\(word) is an item")
            return
        }
        #expect(plans.count == 2 && plans[1].headers.isEmpty)
        for item in ["X-Port:3001", "Localhost.X:3", "localhost:abc", "a.b:1x"] {
            #expect(try plan(["localhost:3000/a", item]).headerNames.count == 1)
        }
    }

    @Test("a service that is named by a URL shows no password")
    func services() {
        for arguments in [["call", "http://u:hunter2@x/", "y"], ["call", "http://u:hunter2@x/?token=hunter2"]] {
            let found = mistake(arguments)
            #expect(found != nil && "\(String(describing: found))".contains("hunter2") == false)
        }
    }

    @Test("a command for curl, and a request in a pipe, say that secrets are left out")
    func redactions() async {
        let memory = MemoryConsole()
        #expect(await memory.run("--curl", "a.example", "password=hunter2") == .success)
        #expect(
            memory.notes == ["cumulus: note: the command omits the request's secrets; --show-secrets includes them"]
        )
        let wire = MemoryConsole()
        #expect(await wire.run("--offline", "a.example", "password=hunter2") == .success)
        #expect(
            wire.notes == ["cumulus: note: the request is printed without its secrets; --show-secrets includes them"]
        )
        let plain = MemoryConsole()
        #expect(await plain.run("--curl", "a.example", "monkey=2", "keyboard=de") == .success)
        #expect(plain.notes.isEmpty && plain.output.contains("monkey"))
    }
}
