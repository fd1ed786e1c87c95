// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// `--cookies`, `--session` and `--session-read-only`.
@Suite(.timeLimit(.minutes(10))) struct SessionTests {
    private let home: TemporaryFolder
    private let transport = StubTransport { request in
        let shown = ["Cookie", "Authorization", "X-Run", "Content-Type", "If-Match"].map { name in
            "\(name)=\(HTTPField.Name(name).flatMap { request.headers[$0] } ?? "-")"
        }.joined(separator: " ")
        switch request.path {
        case "/set": return .response(headers: [.setCookie: "sid=hunter2; Path=/"], body: Array(shown.utf8))
        case "/login": return .response(.found, headers: [.setCookie: "sid=hunter2; Path=/", .location: "/home"])
        case "/port": return .response(.found, headers: [.location: "https://a.example:8443/plant"])
        case "/plant": return .response(headers: [.setCookie: "planted=1; Path=/"], body: Array(shown.utf8))
        case "/away": return .response(.found, headers: [.location: "https://evil.org/"])
        case "/many":
            var headers: Headers = [.setCookie: "long=" + String(repeating: "x", count: 5_000)]
            for number in 0..<(request.query == "n=1" ? 1 : 200) { headers.add("c\(number)=1", for: .setCookie) }
            return .response(headers: headers)
        case "/fail": return .response(.init(code: 503), headers: [.setCookie: "sid=hunter2; Path=/"])
        default: return .response(body: Array(shown.utf8))
        }
    }

    init() throws { home = try TemporaryFolder() }

    /// Runs a command, and returns its console.
    private func run(_ arguments: String..., expecting expected: CommandStatus = .success) async -> MemoryConsole {
        let console = MemoryConsole(environment: ["XDG_STATE_HOME": home.path])
        let status = await console.run(arguments, over: transport)
        #expect(status == expected, "\(console.notes)")
        return console
    }

    /// Runs `cumulus sessions` with the files of this test.
    private func sessions(_ words: String..., expecting expected: CommandStatus = .success) async -> MemoryConsole {
        let memory = MemoryConsole(environment: ["XDG_STATE_HOME": home.path])
        var console = memory.console
        console.surroundings.readFolder = { try FileManager.default.contentsOfDirectory(atPath: $0) }
        #expect(await CommandRun(console).run(["sessions"] + words) == expected, "\(memory.notes)")
        return memory
    }

    @Test("sessions are listed, shown without their secrets, and removed")
    func command() async throws {
        #expect(await sessions().output == "no sessions\n")
        _ = await run("--session", "work", "-a", "ada:hunter2", "https://a.example/set", "X-Run:1", "X-Token:hunter2")
        _ = await run("--session", "work", "https://b.example/")
        let list = await sessions("list").output.split(separator: "\n").map {
            $0.split(separator: " ").map(String.init)
        }
        #expect(
            list.dropFirst() == [
                ["work", "https://a.example", "basic", "2", "1"], ["work", "https://b.example", "-", "0", "0"],
            ]
        )
        let shown = await sessions("show", "work", "https://a.example").output
        #expect(shown.hasPrefix("work for https://a.example\nfile: \(home.path)/cumulus/sessions/"))
        #expect(
            shown.hasSuffix("credentials: basic (ada)\nheader: X-Run: 1\nheader: X-Token: <redacted>\ncookie: sid\n"),
            "\(shown)"
        )
        _ = await run("--session", "token", "-a", "sk_live_1:", "https://a.example/set")
        let token = await sessions("show", "token").output
        #expect(token.contains("credentials: basic") && !token.contains("sk_live"), "\(token)")
        _ = await sessions("remove", "token")
        let several = await sessions("remove", "work", expecting: .usage).notes.joined()
        #expect(several.contains("exists for https://a.example and https://b.example"), "\(several)")
        _ = await sessions("remove", "work", "https://a.example")
        #expect(await sessions("show", "work").output.hasPrefix("work for https://b.example\n"))
        #expect(await sessions("show", "wrk", expecting: .usage).notes.joined().contains("did you mean work?"))
        var surroundings = Surroundings.of(environment: ["XDG_STATE_HOME": home.path])
        surroundings.readFolder = { try FileManager.default.contentsOfDirectory(atPath: $0) }
        #expect(Completion(["--session", "wo"], in: surroundings).candidates.map(\.word) == ["work"])
        #expect(Completion(["sessions", "show", ""], in: surroundings).candidates.map(\.word) == ["work"])
    }

    @Test(
        "each response that loses cookies to the limits is reported once",
        arguments: [
            [], ["-v"], ["-q"], ["--session", "s"],
        ]
    )
    func lostCookies(options: [String]) async {
        func notes(_ words: String...) async -> [String] {
            let console = MemoryConsole(environment: ["XDG_STATE_HOME": home.path])
            #expect(await console.run(words + options, over: transport) == .success)
            return console.notes
        }
        let end = "the limits are 4,096 bytes per cookie, 180 cookies per response or site, and 3,000 in all"
        let url = "https://a.example/many"
        let warning = "cumulus: warning: 22 cookies were dropped after the response from \(url): \(end)"
        #expect(await notes(url) == [warning])
        #expect(
            await notes("\(url)?n=1").map { $0.prefix { $0 != "?" } }
                == ["cumulus: warning: 1 cookie was dropped after the response from \(url)"]
        )
        #expect(await notes("https://a.example/set").isEmpty)
        let silent = MemoryConsole(environment: ["XDG_STATE_HOME": home.path])
        #expect(await silent.run(["-qq", url], over: transport) == .success)
        #expect(silent.notes.isEmpty)
    }

    @Test("a session's cookies are listed as requests read them: without expired ones, and from long files")
    func listedCookies() async throws {
        _ = await run("--session", "work", "https://a.example/set")
        let path = "\(home.path)/cumulus/sessions/https_a.example_443/work.cookies"
        let lines =
            [
                "a.example\tFALSE\t/\tFALSE\t1\texpired\t1", "#HttpOnly_a.example\tFALSE\t/\tFALSE\t0\thidden\t1",
                "a.example\tFALSE\t/\tFALSE\t0\tempty",
            ] + [String](repeating: "# " + String(repeating: "x", count: 2_000), count: 1_000)
        try PrivateFile(path).write(Array((lines.joined(separator: "\r\n") + "\r\n").utf8))
        let shown = await sessions("show", "work").output
        let names = shown.split(separator: "\n").filter { $0.hasPrefix("cookie: ") }
        #expect(names.sorted() == ["cookie: empty", "cookie: hidden"], "\(shown)")
    }

    private func file(_ name: String) throws -> String { String(decoding: try home.bytes(name), as: UTF8.self) }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: "\(home.path)/\(name)")[.posixPermissions] as? Int
    }

    @Test func aFileOfCookiesIsSentAndWritten() async throws {
        let jar = "\(home.path)/jar.txt"
        #expect(await run("https://a.example/login", "--cookies", jar).output.contains("Cookie=sid=hunter2"))
        #expect(try mode("jar.txt") == 0o600)
        #expect(try file("jar.txt").contains("a.example\tFALSE\t/\tFALSE\t0\tsid\thunter2\n"))
        #expect(await run("https://a.example/", "--cookies", jar).output.contains("Cookie=sid=hunter2"))
        #expect(await run("https://b.example/", "--cookies", jar).output.contains("Cookie=- "))
        #expect(await run("https://a.example/").output.contains("Cookie=- "))
    }

    @Test("without a file, a redirect's cookies last for one call, and go to no other origin")
    func onlyForTheCall() async {
        #expect(await run("https://a.example/login").output.contains("Cookie=sid=hunter2"))
        #expect(await run("https://a.example/").output.contains("Cookie=- "))
        #expect(home.names.isEmpty)
        let console = MemoryConsole()
        let waiting = StubTransport { request in
            request.headers[.cookie] == nil
                ? .response(.found, headers: [.setCookie: "a=1", .location: "https://a.example/x"])
                : .response(.found, headers: [.location: "https://b.example/y"])
        }
        let status = await console.run(["https://a.example/x", "--max-redirects=2"], over: waiting)
        // The other origin gets no cookie, so it answers with a third redirect.
        #expect(status == .tooManyRedirects, "\(console.notes)")
        let cookies = waiting.requests.map { $0.headers[.cookie] }
        #expect(cookies == [nil, "a=1", nil])
    }

    @Test func cookiesAreKeptOfFailuresAndNotOfWhatIsNotSent() async throws {
        let jar = "\(home.path)/jar.txt"
        _ = await run("https://a.example/", "--offline", "--cookies", jar)
        _ = await run("https://a.example/", "--curl", "--cookies", jar)
        #expect(home.names.isEmpty)
        _ = await run("https://a.example/fail", "--cookies", jar, expecting: .serverError)
        #expect(try file("jar.txt").contains("sid"))
    }

    @Test("cookies from a file are shown as secrets by default") func secrets() async throws {
        let jar = "\(home.path)/jar.txt"
        let set = await run("https://a.example/login", "--cookies", jar, "-v")
        let shown = await run("https://a.example/", "--cookies", jar, "-p", "H")
        let curl = await run("https://a.example/", "--cookies", jar, "--curl")
        #expect(shown.output.contains("Cookie: <redacted>"))
        #expect(
            !shown.output.contains("hunter2") && !curl.output.contains("hunter2")
                && !set.notes.joined().contains("hunter2")
        )
        #expect(
            await run("https://a.example/", "--cookies", jar, "--curl", "--show-secrets").output.contains("sid=hunter2")
        )
    }

    @Test func aFileThatIsNoneIsAMistakeAndStays() async throws {
        let path = try home.write("hunter2 and more\n", to: "notes.txt")
        let console = await run("https://a.example/", "--cookies", path, expecting: .usage)
        #expect(console.notes.joined().contains("line 1") && !console.notes.joined().contains("hunter2"))
        #expect(try file("notes.txt") == "hunter2 and more\n")
    }

    @Test func aSessionRemembersCookiesHeadersAndCredentials() async throws {
        _ = await run(
            "post",
            "https://a.example/set",
            "--session",
            "work",
            "-a",
            "ada:lovelace",
            "X-Run:7",
            "If-Match:\"1\"",
            "Idempotency-Key:k",
            "n=1"
        )
        let again = await run("https://a.example/x", "--session", "work")
        #expect(
            again.output == "Cookie=sid=hunter2 Authorization=Basic YWRhOmxvdmVsYWNl X-Run=7 Content-Type=- If-Match=-"
        )
        let folder = "cumulus/sessions/https_a.example_443"
        #expect(try mode("\(folder)/work.json") == 0o600)
        #expect(try mode("\(folder)/work.cookies") == 0o600)
        #expect(try mode(folder) == 0o700)
        #expect(try !file("\(folder)/work.json").contains("Idempotency"))
        // The command line takes precedence, and is stored; masked fields come back.
        #expect(
            await run("https://a.example/", "--session", "work", "X-Run:8", "-A", "bearer", "-a", "t").output.contains(
                "Authorization=Bearer t X-Run=8"
            )
        )
        #expect(await run("https://a.example/", "--session", "work", "X-Run:").output.contains("X-Run=-"))
        #expect(await run("https://a.example/", "--session", "work").output.contains("Authorization=Bearer t X-Run=8"))
        // An Authorization item replaces the credentials.
        #expect(
            await run("https://a.example/", "--session", "work", "Authorization:Own x").output.contains(
                "Authorization=Own x"
            )
        )
        #expect(await run("https://a.example/", "--session", "work").output.contains("Authorization=Own x"))
    }

    @Test("a session is for one origin, and a redirect takes none of it along") func origins() async throws {
        _ = await run("https://a.example/set", "--session", "work", "-a", "ada:pw", "X-Run:7", "Cookie:own=1; two=2")
        #expect(
            await run("https://a.example/", "--session", "work").output.contains(
                "Cookie=own=1; two=2; sid=hunter2 Auth"
            )
        )
        for other in ["https://b.example/", "http://a.example/", "https://a.example:8443/", "https://x.a.example/"] {
            #expect(
                await run(other, "--session", "work").output
                    == "Cookie=- Authorization=- X-Run=- Content-Type=- If-Match=-",
                "\(other)"
            )
        }
        #expect(
            await run("https://a.example/away", "--session", "work").output
                == "Cookie=- Authorization=- X-Run=- Content-Type=- If-Match=-"
        )
        #expect(transport.lastRequest?.url == "https://evil.org/")
        // Cookies alone would be for each port of their host.
        #expect(
            await run("https://a.example/port", "--session", "work", "Cookie:three=3").output
                == "Cookie=- Authorization=- X-Run=- Content-Type=- If-Match=-"
        )
        #expect(transport.lastRequest?.url == "https://a.example:8443/plant")
        #expect(
            await run("https://a.example/", "--session", "work").output.contains(
                "Cookie=own=1; two=2; sid=hunter2; three=3 Auth"
            )
        )
    }

    @Test("a session's file is only used for the origin that made it") func files() async throws {
        let path = "\(home.path)/mine.json"
        _ = await run("https://a.example/set", "--session", path, "X-Run:7")
        #expect(
            await run("https://a.example/", "--session", path).output.contains(
                "Cookie=sid=hunter2 Authorization=- X-Run=7"
            )
        )
        #expect(home.names == ["mine.cookies", "mine.cookies.lock", "mine.json", "mine.json.lock"])
        let console = await run("https://b.example/", "--session", path, expecting: .usage)
        #expect(console.notes.joined().contains("belongs to https://a.example, not to https://b.example"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        _ = await run("https://a.example/", "--session", path, expecting: .usage)
    }

    @Test("a refused request is not stored", arguments: ["Foo Bar:x", "X-Run:a\nb"])
    func refusedItems(item: String) async throws {
        _ = await run("https://a.example/", "--session", "work", item, expecting: .usage)
        #expect(await run("https://a.example/", "--session", "work").output.contains("X-Run=-"))
        _ = await run("https://a.example/", "--session", "work", item, expecting: .usage)
        #expect(await run("https://a.example/", "--session", "work").output.contains("X-Run=-"))
    }

    @Test func aSessionThatIsReadOnlyStaysAsItIs() async throws {
        _ = await run("https://a.example/", "--session-read-only", "work", expecting: .usage)
        _ = await run("https://a.example/", "--session", "work", "X-Run:7")
        let console = await run("https://a.example/set", "--session-read-only", "work", "X-Run:8", "Cookie:own=1")
        #expect(console.output.contains("Cookie=own=1 Authorization=- X-Run=8"))
        #expect(
            await run("https://a.example/", "--session", "work").output.contains("Cookie=- Authorization=- X-Run=7")
        )
    }

    @Test(
        "options that can't be combined with it",
        arguments: [
            ["--session", "a", "--session-read-only", "b"], ["--session", "a", "--cookies", "b"], ["--session", ".."],
            ["--session", "a b"],
            ["--session", ""], ["--session", "x/"], ["--cookies", ""], ["--session", ".hidden"],
        ]
    )
    func mistakes(options: [String]) async throws {
        let console = MemoryConsole(environment: ["XDG_STATE_HOME": home.path])
        #expect(await console.run(["https://a.example/"] + options, over: transport) == .usage)
        #expect(transport.requests.isEmpty && home.names.isEmpty)
    }

    @Test(
        "A file that is not a session is a mistake",
        arguments: [
            "", "{}", "[]", #"{"version":2,"origin":"https://a.example"}"#, "\u{0}",
            #"{"version":1,"origin":"https://a.example","headers":[{"name":1}]}"#,
            #"{"version":1,"origin":"https://a.example","credentials":{"type":"x"}}"#,
        ]
    )
    func otherFiles(text: String) async throws {
        let path = try home.write(text, to: "s.json")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        _ = await run("https://a.example/", "--session", path, expecting: .usage)
        #expect(try file("s.json") == text)
    }

    @Test("13: cookies and a session that can't be written") func unwritable() async throws {
        let cookies = await run("https://a.example/set", "--cookies", "/proc/cumulus/jar", expecting: .disk)
        let start = "cumulus: disk: can't create \"/proc/cumulus\""
        #expect(cookies.notes.last?.hasPrefix(start) == true, "\(cookies.notes)")
        _ = await run("https://a.example/", "--session", "/proc/cumulus.json", "X-Run:7", expecting: .disk)
        let folder = await run("https://a.example/", "--cookies", home.path, expecting: .usage)
        #expect(folder.notes.joined().contains("it is a directory"))
    }

    @Test func downloadsAndUploadsUseThemToo() async throws {
        _ = await run("https://a.example/set", "--session", "work", "X-Run:7")
        let (jar, out) = ("\(home.path)/jar.txt", "\(home.path)/out")
        _ = await run("https://a.example/set", "--cookies", jar)
        _ = await run("download", "https://a.example/file", "-q", "-o", out, "--session", "work")
        #expect(try file("out").hasPrefix("Cookie=sid=hunter2 Authorization=- X-Run=7"))
        _ = await run("download", "https://a.example/file", "-q", "--overwrite", "-o", out, "--cookies", jar)
        #expect(try file("out").hasPrefix("Cookie=sid=hunter2 Authorization=- X-Run=-"))
        let body = try home.write("body", to: "body")
        #expect(await run("upload", body, "https://a.example/up", "-q", "-q", "--session", "work").notes.isEmpty)
        #expect(transport.lastRequest?.headers[.cookie] == "sid=hunter2")
        #expect(transport.lastRequest?.text == "body")
    }
}
