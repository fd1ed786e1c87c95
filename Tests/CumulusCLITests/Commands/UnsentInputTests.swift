// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import Foundation
import TestSupport
import Testing

@testable import CumulusCLI

/// Standard input that would not be sent: refused if it is the command's own, left alone otherwise.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: BuiltProgram.isThere && FileManager.default.fileExists(atPath: "/proc/self/fd"))
)
struct UnsentInputTests {
    private static let url = "http://localhost/x"
    private static let shells = ["/bin/bash", "/bin/dash"].filter(FileManager.default.isExecutableFile)
    /// Options and items that describe a body.
    private static let signs = [
        "-j", "-f", "--compress", "--chunked", "Content-Type:application/json", "Content-Encoding:gzip",
        "content-language:de",
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a script of a shell, in which `"$@"` is the command with its arguments.
    private func run(
        _ words: [String],
        _ script: String,
        in shell: String = "/bin/sh",
        input: String = "",
        descriptor: Int32? = nil
    ) async throws -> BuiltProgram.End {
        let file = try folder.write("cd '\(folder.path)'; export XDG_CONFIG_HOME=$PWD\n\(script)\n", to: "s")
        let look = ["--ignore-netrc", "--offline", "--print=HB"]
        let program = try BuiltProgram(look + words, shell: "exec \(shell) '\(file)' \"$@\"", input: descriptor)
        if descriptor == nil { try program.write(input) }
        return try await program.end()
    }

    private func expectRefusal(_ end: BuiltProgram.End, _ remedy: String) {
        #expect(end.status == 64 && end.output.isEmpty, "\(end)")
        #expect(end.notes.contains("standard input is not sent") && end.notes.contains(remedy), "\(end.notes)")
    }

    /// Ways to give one command a body.
    private static let own = [#"cat body | "$@""#, #""$@" <body"#, hereDocument, #"cat body | (exec "$@")"#]
    /// Programs that start another one, which has their standard input.
    private static let launchers = [
        "/usr/bin/timeout 60", "/usr/bin/flock lock", "/usr/bin/timeout 60 /usr/bin/timeout 60",
        "/usr/bin/python3 -c 'import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)'",
    ].filter { FileManager.default.isExecutableFile(atPath: $0.components(separatedBy: " ")[0]) }
    /// In dash a pipe that the shell itself has as its input meanwhile, like a loop's.
    private static let hereDocument = "\"$@\" <<E\n{}\nE"

    @Test("a body that nothing would send is refused where the command line describes one", arguments: own, shells)
    func refused(script: String, shell: String) async throws {
        _ = try folder.write("{}", to: "body")
        if script == Self.hereDocument, shell == "/bin/dash" {
            return #expect(try await run([Self.url, "-j"], script, in: shell).output.hasPrefix("GET /x"))
        }
        for sign in Self.signs {
            let end = try await run([Self.url, sign], script, in: shell)
            expectRefusal(end, "cumulus post URL sends standard input; --ignore-stdin")
            #expect(end.notes.contains("\(sign.prefix { $0 != ":" }) describes a body"), "\(end.notes)")
        }
        expectRefusal(try await run(["delete", Self.url, "-j"], script, in: shell), "the item @- sends standard input")
    }

    @Test("a program between the shell and the command changes nothing", arguments: launchers, shells)
    func launched(launcher: String, shell: String) async throws {
        let body = try folder.write("{}", to: "body")
        for script in [#"cat body | \#(launcher) "$@""#, #"\#(launcher) "$@" <body"#] {
            expectRefusal(try await run([Self.url, "-j"], script, in: shell), "cumulus post URL sends standard input")
        }
        let second = try await run(["post", Self.url, "a=1"], #"cat body | \#(launcher) "$@""#, in: shell)
        #expect(second.status == 64 && second.notes.contains("can't both be the body"), "\(second)")
        let sent = try await run(["post", Self.url], #"\#(launcher) "$@" <'\#(body)'"#, in: shell)
        #expect(sent.output.hasSuffix("\r\n\r\n{}"), "\(sent)")
        // The list of a loop stays the shell's.
        let script = #"printf '1\n2\n3\n' | while read -r x; do \#(launcher) "$@"; done"#
        for words in [["get", Self.url, "-j"], ["post", Self.url, "a=1"]] {
            let loop = try await run(words, script, in: shell)
            #expect(loop.status == 0 && loop.notes.isEmpty, "\(words) \(loop)")
            #expect(loop.output.components(separatedBy: " /x HTTP").count == 4, "\(words) \(loop)")
        }
    }

    @Test(
        "a pipe that stays silent and open is not a body",
        arguments: [
            (["-j", url], "GET /x"), (["post", url, "a=1"], "POST /x"), (["get", url, url, "--compress"], "GET /x"),
        ]
    )
    func silentPipe(words: [String], first: String) async throws {
        let end = try await BuiltProgram(["--no-config", "--ignore-netrc", "--offline"] + words).end()
        #expect(end.status == 0 && end.notes.isEmpty && end.output.hasPrefix(first), "\(end)")
    }

    @Test(
        "bytes that arrive while the request is sent without them are reported",
        arguments: [
            ["get", "-j"], ["post", "a=1"],
        ]
    )
    func lateInput(words: [String]) async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let output = ends[1]
        try await withLoopbackServer { routes in
            routes.on(nil, "/x") { _ in
                #expect(write(output, "late", 4) == 4)
                return .text("fine")
            }
        } _: { server in
            let look = ["--no-config", "--ignore-netrc", words[0], "\(server.url)/x"] + words.dropFirst()
            let end = try await BuiltProgram(look, input: ends[0]).end()
            #expect(end.status == 0 && end.output == "fine", "\(end)")
            #expect(end.notes.hasPrefix("cumulus: warning: standard input was not sent"), "\(end.notes)")
            #expect(end.notes.utf8.filter { $0 == 0x0A }.count == 1, "\(end.notes)")
        }
    }

    @Test("a URL alone leaves a body on standard input unread, and says so; a loop's list isn't one", arguments: shells)
    func unreadInput(shell: String) async throws {
        _ = try folder.write("{}\n", to: "body")
        for script in [#"cat body | "$@""#, #""$@" <body"#] {
            let end = try await run([Self.url], script, in: shell)
            #expect(end.status == 0 && end.output.hasPrefix("GET /x"), "\(end)")
            #expect(end.notes.contains("standard input was not sent; cumulus post URL sends it"), "\(end)")
            let quiet = try await run(["--ignore-stdin", Self.url], script, in: shell)
            #expect(quiet.notes.isEmpty, "\(quiet)")
        }
        let loops = [
            #"printf '1\n2\n' | while read -r x; do "$@"; done"#, #"while read -r x; do "$@"; done <body"#,
            #""$@" </dev/null"#,
        ]
        for script in loops {
            let loop = try await run([Self.url], script, in: shell)
            #expect(loop.status == 0 && loop.notes.isEmpty, "\(script) \(loop)")
        }
    }

    @Test("the remedies work, and without such a sign a URL alone is a GET", arguments: shells)
    func remedies(shell: String) async throws {
        let body = try folder.write("{}", to: "body")
        for words in [["post", Self.url, "-j"], [Self.url, "-j", "@-"], ["get", Self.url, "--compress", "@-"]] {
            #expect(try await run(words, #"cat body | "$@""#, in: shell).output.hasSuffix("\r\n\r\n{}"), "\(words)")
        }
        let alone = [
            ["--ignore-stdin", "-j", Self.url], [Self.url], ["delete", Self.url], [Self.url, "Content-Type:"],
        ]
        for words in alone {
            let end = try await run(words, #"cat body | "$@""#, in: shell)
            #expect(end.status == 0 && end.output.hasPrefix("\(words[0] == "delete" ? "DELETE" : "GET") /x"), "\(end)")
        }
        let items = try await run([Self.url, "-j", "a=1"], #"cat body >/dev/null; "$@""#, in: shell, input: body)
        #expect(items.output.hasSuffix(#"{"a":"1"}"#), "\(items)")
    }

    /// Scripts whose standard input is a list, and the number of requests that they print.
    private static let loops: [(script: String, count: Int)] = [
        (#"printf '1\n2\n3\n' | while read -r x; do "$@"; done"#, 3), (#"while read -r x; do "$@"; done <list"#, 3),
        ("while read -r x; do \"$@\"; done <<E\n1\n2\n3\nE", 3), (#"{ read -r x; "$@"; cat; } <list"#, 1),
        (#"cat list | { "$@"; "$@"; cat; }"#, 2), (#"f() { "$@"; cat; }; cat list | f "$@""#, 1),
        (#"cat list | for x in 1 2; do "$@"; done"#, 2), (#"xargs -n1 "$@" <headers"#, 3),
    ]

    @Test("a loop's list, and input that a script shares, are left alone", arguments: loops, shells)
    func lists(loop: (script: String, count: Int), shell: String) async throws {
        _ = try folder.write("1\n2\n3\n", to: "list")
        _ = try folder.write("A:1\nB:2\nC:3\n", to: "headers")
        for sign in Self.signs.dropFirst() {
            let end = try await run(["get", Self.url, sign], loop.script, in: shell)
            #expect(end.status == 0 && end.notes.isEmpty, "\(sign) \(end)")
            #expect(end.output.components(separatedBy: "GET /x").count == loop.count + 1, "\(sign) \(end)")
            if loop.script.contains("cat; }") { #expect(end.output.hasSuffix("3\n"), "\(end)") }
        }
    }

    @Test("without input of its own the command does as it did", arguments: shells)
    func noInput(shell: String) async throws {
        _ = try folder.write("", to: "empty")
        let words = [Self.url, "-j", "--compress", "Content-Type:text/x"]
        let scripts = [
            #""$@" <&-"#, #""$@" </dev/null"#, #""$@" <empty"#, #": | "$@""#, #"exec "$@""#,
        ]
        for script in scripts {
            let end = try await run(words, script, in: shell)
            #expect(end.status == 0 && end.output.hasPrefix("GET /x"), "\(script) \(end)")
        }
    }

    @Test("cron's empty pipe and a silent socket of ssh are not a body; a body in a socket is not lost")
    func cronAndSSH() async throws {
        // cron closes the pipe of a job without input, and sh replaces itself by the command.
        let cron = try BuiltProgram(["--no-config", "--offline", Self.url, "-j"])
        try cron.write()
        #expect(try await cron.end().output.hasPrefix("GET /x"))
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let silent = try await run([Self.url, "-j"], #"exec "$@""#, descriptor: ends[0])
        #expect(silent.status == 0 && silent.output.hasPrefix("GET /x"), "\(silent)")
        try #require(write(ends[1], "{}", 2) == 2)
        expectRefusal(
            try await run([Self.url, "-j"], #"exec "$@""#, descriptor: ends[0]),
            "cumulus post URL sends standard input"
        )
    }

    @Test("a configuration or a profile never causes it, and its content type is sent with a body only")
    func configured() async throws {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/cumulus", withIntermediateDirectories: true)
        let text = """
            [defaults]
            form = true
            [defaults.headers]
            Content-Type = "text/x"
            [profiles.p]
            form = true
            """
        _ = try folder.write(text, to: "cumulus/config.toml")
        _ = try folder.write("a=1", to: "body")
        for words in [[Self.url], ["--profile", "p", Self.url]] {
            let end = try await run(words, #""$@" <body"#)
            #expect(end.status == 0 && end.output.hasPrefix("GET /x"), "\(end)")
            #expect(!end.output.contains("Content-Type"), "\(end)")
        }
        #expect(try await run(["post", Self.url], #""$@" <body"#).output.contains("Content-Type: text/x\r\n"))
        let ignored = try folder.write("[defaults]\nignore-stdin = true\n", to: "cumulus/config.toml")
        #expect(!ignored.isEmpty)
        #expect(try await run([Self.url, "-j"], #""$@" <body"#).output.hasPrefix("GET /x"))
    }

    @Test("a second body on the command's own input is refused", arguments: shells)
    func secondBody(shell: String) async throws {
        let body = try folder.write("{}", to: "body")
        let lines = [
            (["a=1"], "the item 'a='"), (["--raw", "x"], "--raw"), (["@\(body)"], "the item '@\(body)'"),
            (["--multipart", "a=1"], "the item 'a='"), (["-f", "b:=2"], "the item 'b:='"),
        ]
        for (words, name) in lines {
            // dash has the file as its own input meanwhile, so it may as well be a script's.
            for script in shell == "/bin/dash" ? [] : [#""$@" <body"#, Self.hereDocument] {
                let end = try await run(["post", Self.url] + words, script, in: shell)
                #expect(end.status == 64 && end.notes.contains("\(name) and standard input can't both"), "\(end)")
            }
            for script in [#"{ "$@"; cat; } <body"#, #"cat body | { "$@"; cat; }"#, #""$@" </dev/null; cat body"#] {
                let end = try await run(["post", Self.url] + words, script, in: shell)
                #expect(end.status == 0 && end.output.hasSuffix("{}"), "\(end)")
            }
            let ignored = try await run(["post", "--ignore-stdin", Self.url] + words, #""$@" <body"#, in: shell)
            #expect(ignored.status == 0, "\(ignored)")
        }
        let value = try await run(["post", Self.url, "a=@-", "b=1"], #""$@" <body"#, in: shell)
        #expect(value.output.hasSuffix(#"{"a":"{}","b":"1"}"#), "\(value)")
    }

    @Test(
        "a content type that is typed is sent on any method",
        arguments: ["get", "HEAD", "delete", "options", "post"]
    )
    func typedContentType(method: String) async throws {
        let end = try await run([method, Self.url, "Content-Type:application/vnd.api+json"], #""$@" </dev/null"#)
        #expect(end.output.contains("Content-Type: application/vnd.api+json\r\n"), "\(end)")
    }

    @Test("a list's pages are not read with a body on standard input")
    func pages() async throws {
        let end = try await run(["get", Self.url, "@-", "--pages", "all"], #"echo 1 | "$@""#)
        #expect(end.status == 64 && end.notes.contains("--pages reads a list with GET, which has no data"), "\(end)")
    }

    @Test("a call with arguments leaves a loop's list alone, and sends input of its own", arguments: shells)
    func calls(shell: String) async throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/cumulus/services",
            withIntermediateDirectories: true
        )
        let service = """
            {"name": "s", "baseURL": "http://localhost", "headers": {"Content-Type": "text/x"}, "endpoints": [
              {"name": "put", "method": "PUT", "template": "x/{id}"}, {"name": "get", "template": "x/{id}"}]}
            """
        _ = try folder.write(service, to: "cumulus/services/s.json")
        _ = try folder.write("{}", to: "body")
        let look = ["--offline", "--show-secrets", "--print=HB"]
        func call(_ words: [String], _ script: String) async throws -> BuiltProgram.End {
            let file = try folder.write("cd '\(folder.path)'; export XDG_CONFIG_HOME=$PWD\n\(script)\n", to: "s")
            let program = try BuiltProgram(["call"] + words + look, shell: "exec \(shell) '\(file)' \"$@\"")
            try program.write()
            return try await program.end()
        }
        let loop = try await call(["s", "put", "id=1"], #"printf '1\n2\n' | while read -r x; do "$@"; done"#)
        #expect(loop.output.components(separatedBy: "PUT /x/1").count == 3, "\(loop)")
        #expect(!loop.output.contains("Content-Type"), "\(loop)")
        for words in [["s", "put", "id=1"], ["s", "put", "id:=1"]] {
            let own = try await call(words, #""$@" <body"#)
            #expect(own.output.hasSuffix("\r\n\r\n{}") && own.output.contains("Content-Type: text/x"), "\(own)")
        }
        let get = try await call(["s", "get", "id=1"], #""$@" <body"#)
        #expect(get.status == 0 && !get.output.contains("Content-Type"), "\(get)")
        expectRefusal(
            try await call(["s", "get", "id=1", "--compress"], #""$@" <body"#),
            "the item @- sends standard input"
        )
    }
}
