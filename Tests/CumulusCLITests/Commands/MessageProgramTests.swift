// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// Error messages, with the built program.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct MessageProgramTests {
    private func run(_ arguments: [String], shell: String = #"exec "$@""#) async throws -> BuiltProgram.End {
        let program = try BuiltProgram(arguments, shell: shell)
        try program.write()
        return try await program.end()
    }

    @Test("TLS files without usable content are named")
    func files() async throws {
        let folder = try TemporaryFolder()
        // By names alone: a longer path is cut where it is shown.
        let (junk, certificate, locked, older, broken) = ("junk.txt", "c.pem", "k.pem", "o.pem", "b.pem")
        _ = try folder.write("no certificate\n", to: junk)
        _ = try folder.write(
            "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n",
            to: certificate
        )
        _ = try folder.write("-----BEGIN ENCRYPTED PRIVATE KEY-----\n", to: locked)
        let encrypted = "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAA==\n"
        _ = try folder.write(encrypted, to: older)
        _ = try folder.write(
            "-----BEGIN CERTIFICATE-----\nAA==\nA*A=\n-----END CERTIFICATE-----\n",
            to: broken
        )
        for (options, text) in [
            (["--verify", broken], "the --verify file '\(broken)' is damaged: line 3 is not Base64"),
            (["--cert", broken], "the --cert file '\(broken)' is damaged: line 3 is not Base64"),
            (["--verify", junk], "the --verify file '\(junk)' contains no PEM certificate"),
            (["--verify", "/no/such"], "the --verify file '/no/such' can't be read: No such file"),
            (["--cert", junk], "the --cert file '\(junk)' contains no PEM certificate"),
            (["--cert", certificate], "the --cert file '\(certificate)' contains no PEM private key"),
            (
                ["--cert", certificate, "--cert-key", junk],
                "the --cert-key file '\(junk)' contains no PEM private key"
            ),
            (["--cert", certificate, "--cert-key", locked], "the --cert-key file '\(locked)' is encrypted"),
            (["--cert", certificate, "--cert-key", older], "the --cert-key file '\(older)' is encrypted"),
        ] {
            let end = try await run(options + ["https://127.0.0.1:1/"], shell: "cd '\(folder.path)' && exec \"$@\"")
            #expect(end.status == 64)
            #expect(end.notes.contains(text), "\(end.notes)")
        }
        let socket = try await run(["--unix-socket", "\(folder.path)/s", "http://a/"])
        #expect(socket.status == CommandStatus.connect.rawValue)
        #expect(socket.notes.contains("the socket \"\(folder.path)/s\": No such file or directory"), "\(socket.notes)")
    }

    @Test("a server without TLS gets a hint to http://")
    func plainServer() async throws {
        try await withLoopbackServer { server in
            let end = try await run(["https://127.0.0.1:\(server.port)/x"])
            #expect(end.status == CommandStatus.tls.rawValue)
            #expect(
                end.notes.contains("\n  hint: this server does not seem to support TLS; did you mean http://127.0.0.1:")
            )
        }
    }

    @Test("an unknown host is reported without names of libraries' types")
    func unknownHost() async throws {
        let end = try await run(["--timeout", "10", "http://nowhere.invalid/"])
        #expect(end.status == CommandStatus.lookup.rawValue)
        #expect(end.notes.hasPrefix("cumulus: dns: http://nowhere.invalid/: can't find the host: "))
        #expect(!end.notes.contains("UnknownHost") && !end.notes.contains("Error"))
    }

    @Test(
        "options of other tools get a suitable hint",
        arguments: [
            (["--proxy"], "--proxy http://proxy.example:8080"), (["a.b", "--session"], "--session work stores"),
            (["--download", "a.b"], "write cumulus download URL"),
            (["a.b", "--timeout"], "--timeout 10, 500ms or 2m; 0 means no limit"),
            (["upload", "-X", "POST", "f", "a.b"], "write --method POST"), (["-X", "PUT", "a.b"], "cumulus PUT URL"),
            (["a.b", "-u", "x:y"], "-a USER:PASSWORD"), (["download", "-hc", "a.b"], "-h shows help here"),
            (["-c", "a.b"], "cumulus download -c URL"), (["-N", "a.b"], "cumulus events URL"),
            (["events", "a.b", "-o", "f"], "write > FILE"),
            (["events", "-X", "POST", "a.b"], "cumulus events post URL"),
            (["events", "a.b", "--request", "POST"], "cumulus events post URL"),
        ]
    )
    func hints(line: [String], hint: String) async throws {
        let end = try await run(line)
        #expect(end.status == 64)
        #expect(end.notes.contains("\n  hint: ") && end.notes.contains(hint), "\(end.notes)")
    }

    @Test("a mistake in a list has its line and entry")
    func list() async throws {
        let folder = try TemporaryFolder()
        let list = try folder.write("# mirrors\n\nhttp://127.0.0.1:1/a\nhtp://x/y\n", to: "list")
        let end = try await run(["download", "-i", list])
        #expect(end.status == 64)
        #expect(end.notes.contains("line 4 of the list, 'htp://x/y': "), "\(end.notes)")
    }

    @Test("an invalid byte in JSON is shown, with its line")
    func json() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("{\"a\": 1,\n \"b\": ?}", to: "x.json")
        let inFile = try await run(["a.b", "x:=@\(file)"])
        #expect(
            inFile.notes.contains("is not valid JSON: '?' is not allowed here (line 2, column 7)"),
            "\(inFile.notes)"
        )
        let inItem = try await run(["a.b", "password:=[1,}"])
        #expect(inItem.notes.contains("'password:=' is not valid JSON: '}' is not allowed here (line 1, column 4)"))
    }

    @Test("14: the error about an existing file suggests what to do")
    func exists() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("mine", to: "f")
        try await withLoopbackServer(routes: { $0.get("/f") { _ in .text("theirs") } }) { server in
            let end = try await run(["download", "-o", path, "\(server.url)/f"])
            #expect(end.status == CommandStatus.exists.rawValue)
            #expect(end.notes.contains("\n  hint: --overwrite replaces the file") && end.notes.contains("-c "))
        }
    }
}
