// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// Output for people contains neither passwords nor tokens.
@Suite(.timeLimit(.minutes(10))) struct CommandSecretTests {
    private static let commandLines: [[String]] = [
        ["-a", "ada:hunter2", "x.y"], ["-aada:hunter2", "x.y"], ["-A", "bearer", "-a", "hunter2", "x.y"],
        ["-A", "apikey", "-a", "hunter2", "x.y"], ["-A", "apikey", "-a", "X-Custom:hunter2", "x.y"],
        ["-A", "apikey", "-a", "custom==hunter2", "x.y?a=1"], ["-ahunter2", "-Abearer", "x.y"],
        ["--auth=hunter2", "--auth-type=Bearer", "x.y"], ["ada:hunter2@x.y"],
        ["--base", "https://ada:hunter2@x.y/v1", "z"], ["x.y", "access_token==hunter2"],
        ["x.y?access_token=hunter2&a=1"], ["x.y", "Cookie:sid=hunter2"], ["x.y", "X-Api-Key:hunter2"],
        ["x.y", "Authorization:hunter2"], ["x.y", "Authorization:hunter2 x"],
        ["x.y", "Referer:https://ada:hunter2@z/?token=hunter2"], ["x.y", "password=hunter2"],
        ["x.y", "user[password]=hunter2", "a=1"], ["x.y", "list:=[{\"a\":{\"token\":[\"hunter2\"]}}]"],
        ["-f", "x.y", "password=hunter2", "a=1"], ["-f", "x.y", "user[api_key]=hunter2"],
        ["x.y", "--raw", "{\"password\":\"hunter2\""], ["x.y", "--raw", "a=1&password=hunter2"],
        ["x.y", "password=hunter2", "Content-Type:text/plain"], ["x.y", "password=hunter2", "Content-Type:"],
    ]

    @Test("a request is shown without its secrets", arguments: commandLines)
    func requests(arguments: [String]) async {
        let forms = [["-v"], ["-p", "HB"], ["--offline"], ["--curl"], ["--offline", "--pretty=all"]]
        // Reading a command line takes a debug build a tenth of a second.
        for (number, options) in forms.enumerated() {
            for isTerminal in SlowTests.areWanted ? [false, true] : [number.isMultiple(of: 2)] {
                let console = MemoryConsole(outputIsTerminal: isTerminal)
                let stub = StubTransport { _ in .text("fine") }
                #expect(await console.run(options + arguments, over: stub) == .success)
                let printed = ([console.output] + console.notes).joined(separator: "\n")
                #expect(!printed.contains("hunter2"), "\(options) \(printed)")
                // A body of another type is left out.
                #expect(printed.contains("redacted") || printed.contains("--show-secrets"), "\(options) \(printed)")
            }
        }
        let console = MemoryConsole()
        #expect(
            await console.run(["--offline", "--show-secrets"] + arguments, over: StubTransport { _ in .text("") })
                == .success
        )
        #expect(
            console.output.contains("hunter2") || console.output.contains("aHVudGVyMg")
                || console.output.contains("YWRhOmh1bnRlcjI=")
        )
    }

    private static let wrongLines: [[String]] = [
        ["--auht=ada:hunter2", "x.y"], ["-zaada:hunter2", "x.y"],
        ["-A", "apikey", "-a", "bad name:hunter2", "x.y"], ["-A", "ntlm", "-a", "ada:hunter2", "x.y"],
        ["-A", "hunter2", "-a", "bearer", "x.y"], ["-Ahunter2", "x.y"], ["-v=hunter2", "x.y"],
        ["--json=hunter2", "x.y"], [":80:hunter2@x.y"], ["//ada:hunter2@x.y"],
        ["/ada:hunter2@x.y"], ["htp://ada:hunter2@x.y"], ["http:/ada:hunter2@x.y"], ["ada:hun/hunter2@x.y:x"],
        ["ada:hunter2@x y"], ["ada:hunter2\\@x.y"], ["--base", "ada:hunter2@x y", "z"],
        ["--base", "x.y", "z?token=hunter2#"], ["x.y", "\u{201C}a:hunter2"],
        ["download", "-i", "list", "https://ada:hunter2@x.y"], ["upload", "f", "ada:hunter2@x y"],
        ["x.y", "a:={\"password\":hunter2}"],
    ]

    @Test("a mistake is reported without secrets", arguments: wrongLines)
    func mistakes(arguments: [String]) async {
        let console = MemoryConsole()
        #expect(await console.run(arguments, over: StubTransport { _ in .text("fine") }) == .usage)
        #expect(!console.notes.joined().contains("hunter2"), "\(console.notes)")
    }

    @Test("a response's head is shown without its cookies' values, and is still useful")
    func answers() async {
        let fields: Headers = [
            .setCookie: "sid=hunter2; Path=/; HttpOnly", .location: "https://x.y/?token=hunter2", .server: "s",
            .wwwAuthenticate: "Basic realm=\"r\"",
        ]
        for options in [["-v"], ["-h"], ["-p", "h"], ["-p", "hb"]] {
            let stub = StubTransport { _ in .response(.ok, headers: fields, body: Array("password=hunter-body".utf8)) }
            let console = MemoryConsole()
            #expect(await console.run(options + ["x.y"], over: stub) == .success)
            #expect(!console.output.contains("hunter2"), "\(options)")
            #expect(console.output.contains("Set-Cookie: sid=<redacted>; Path=/; HttpOnly\n"))
            #expect(console.output.contains("WWW-Authenticate: Basic realm=\"r\"\n"))
            // The body's content is as expected.
            #expect(console.output.contains("hunter-body") == !["-h", "h"].contains(options.last))
            let open = MemoryConsole()
            #expect(await open.run(options + ["--show-secrets", "x.y"], over: stub) == .success)
            #expect(open.output.contains("Set-Cookie: sid=hunter2;"))
        }
    }

    @Test("a server's explanation of its failure contains no terminal controls")
    func steering() async {
        let status = HTTPResponse.Status(code: 404, reasonPhrase: "No\u{9B}31m\u{202E}\u{200B}")
        let problem = "{\"title\":\"x\\u001b[2J\\u202e\\u200b\",\"detail\":\"\(String(repeating: "y", count: 999))\"}"
        let fields: Headers = [.contentType: "application/problem+json"]
        let stub = StubTransport { _ in .response(status, headers: fields, body: Array(problem.utf8)) }
        let console = MemoryConsole()
        #expect(await console.run(["x.y"], over: stub) == .clientError)
        let line = console.notes.joined()
        #expect(line.unicodeScalars.allSatisfy { !PeerText.steers($0) && !PeerText.hides($0) }, "\(line)")
        #expect(line.utf8.count < 600)
    }

    @Test("a foreign error is reported with its kind and no place in sources")
    func strangeErrors() {
        struct Strange: Error, CustomStringConvertible {
            var description: String { "UnableToParse(file: /build/x.swift, set-cookie: hunter2)" }
        }
        #expect(ErrorLine.text(for: Strange()) == "cumulus: an unknown error occurred")
        #expect(PathName.shown("a\u{3164}\u{202E}\u{1B}b") == "a\\u3164\\u202e\\u001bb")
    }
}
