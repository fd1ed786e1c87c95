// SPDX-License-Identifier: Apache-2.0

import CLibraries
import CumulusCore
import CumulusTestServer
import TestSupport
import Testing

@testable import CumulusCLI

/// A client certificate whose key has a passphrase.
@Suite(.timeLimit(.minutes(10))) struct CertificateKeyCommandTests {
    private func withServer(_ body: (LoopbackServer, [String: String]) async throws -> Void) async throws {
        var tls = try ServerTLS.selfSigned()
        tls.clientRootPEM = EncryptedIdentity.certificate
        let files = [
            "root.pem": tls.rootPEM, "me.pem": EncryptedIdentity.certificate, "key.pem": EncryptedIdentity.pkcs8,
            "word": "hunter2\n",
        ]
        try await withLoopbackServer(tls: tls, routes: { $0.get("/x") { _ in .text("let in") } }) { server in
            try await body(server, files)
        }
    }

    private let options = ["--verify", "root.pem", "--cert", "me.pem", "--cert-key", "key.pem"]

    private func run(_ console: MemoryConsole, _ words: [String]) async -> CommandStatus {
        await CommandRun(console.console).run(words)
    }

    @Test("The passphrase is that of the option, a variable or a file", arguments: ["hunter2", "env:WORD", "@word"])
    func option(word: String) async throws {
        try await withServer { server, files in
            let console = MemoryConsole(environment: ["WORD": "hunter2"], files: files)
            #expect(await run(console, options + ["--cert-pass", word, "\(server.url)/x"]) == .success)
            #expect(console.output == "let in" && console.prompts.isEmpty, "\(console.notes)")
        }
    }

    @Test("It is asked for once, also for several URLs and for a download")
    func prompt() async throws {
        try await withServer { server, files in
            let url = "\(server.url)/x"
            let console = MemoryConsole(files: files, password: "hunter2")
            #expect(await run(console, options + [url, url]) == .success, "\(console.notes)")
            #expect(console.prompts == ["cumulus: passphrase of the client certificate's key: "])
            let folder = try TemporaryFolder()
            let second = MemoryConsole(files: files, password: "hunter2")
            let urls = [url, "https://localhost:\(server.port)/x"]
            let words = ["download", "-q", "-o", "\(folder.path)/"] + options
            #expect(await run(second, words + urls) == .success, "\(second.notes)")
            #expect(second.prompts.count == 1 && folder.names == ["x-1.txt", "x.txt"], "\(folder.names)")
        }
    }

    @Test("A PKCS#12 file needs no other option", .enabled(if: clibraries_pkcs12_missing() == nil))
    func pkcs12() async throws {
        try await withServer { server, files in
            func run(_ words: [String], _ file: [UInt8] = PKCS12Files.usual) async -> (CommandStatus, MemoryConsole) {
                let console = MemoryConsole(files: files, binaries: ["me.p12": file], password: "hunter2")
                let options = ["--verify", "root.pem", "--cert", "me.p12"]
                return (await CommandRun(console.console).run(options + words + ["\(server.url)/x"]), console)
            }
            let (prompted, console) = await run([])
            #expect(
                prompted == .success && console.prompts.count == 1 && console.output == "let in",
                "\(console.notes)"
            )
            #expect(await run(["--cert-pass", "hunter2"]).0 == .success)
            #expect(await run([], PKCS12Files.withoutPassphrase).0 == .success)
            #expect(await run(["--cert-pass", "caf\u{E9}"]).0 == .tls)
            #expect(await run(["--cert-pass", "hunter2"], PKCS12Files.withoutKey).0 == .tls)
            let (refused, both) = await run(["--cert-key", "key.pem"])
            #expect(refused == .usage && both.notes.contains { $0.contains("omit --cert-key") }, "\(both.notes)")
            let (_, curl) = await run(["--curl"])
            #expect(curl.output.contains("--cert me.p12 --cert-type P12"), "\(curl.output)")
        }
    }

    @Test func certificateInDERGetsAHint() async throws {
        let console = MemoryConsole(binaries: ["me.der": [0x30, 0x82, 0x01, 0x70, 0x30, 0x82]])
        #expect(await run(console, ["--cert", "me.der", "https://a.example/"]) == .usage)
        #expect(console.notes.contains { $0.contains("openssl x509 -inform der") }, "\(console.notes)")
    }

    @Test func wrongPassphraseIsAnErrorThatDoesNotQuoteIt() async throws {
        try await withServer { server, files in
            let console = MemoryConsole(files: files)
            #expect(await run(console, options + ["--cert-pass", "hunter3", "\(server.url)/x"]) == .tls)
            let reason = "the passphrase of the client certificate's private key is wrong"
            #expect(console.notes.first?.contains(reason) == true, "\(console.notes)")
            #expect(!console.notes.joined().contains("hunter3"))
            #expect(server.counts.requestsBegun == 0)
        }
    }

    @Test func withoutATerminalItIsAMistake() async throws {
        try await withServer { server, files in
            let console = MemoryConsole(files: files)
            #expect(await run(console, options + ["\(server.url)/x"]) == .usage)
            let note = console.notes.first ?? ""
            #expect(note.contains("the private key in the --cert-key file 'key.pem' is encrypted"), "\(note)")
            #expect(note.contains("hint: write --cert-pass env:NAME"))
            let other = MemoryConsole(files: files)
            #expect(await run(other, options + ["--cert-pass", "caf\u{E9}", "\(server.url)/x"]) == .usage)
            #expect(await run(MemoryConsole(files: files), ["--cert-pass", "x", "\(server.url)/x"]) == .usage)
        }
    }

    @Test func itIsNeverPrinted() async throws {
        try await withServer { server, files in
            let words = options + ["--cert-pass", "hunter2", "--curl", "\(server.url)/x"]
            let curl = MemoryConsole(files: files)
            #expect(await run(curl, words) == .success)
            #expect(curl.output.contains("--pass '<redacted>'") && !curl.output.contains("hunter2"), "\(curl.output)")
            let open = MemoryConsole(files: files)
            #expect(await run(open, words + ["--show-secrets"]) == .success)
            #expect(open.output.contains("--pass hunter2"), "\(open.output)")
            let imported = MemoryConsole(files: files)
            let line = "curl --cert me.pem --cert-type pem --key key.pem --pass hunter2 --tls-max 1.2 \(server.url)/x"
            #expect(await run(imported, ["curl", "--explain", line]) == .success, "\(imported.notes)")
            #expect(!imported.output.contains("hunter2") && imported.output.contains("--tls-max 1.2"))
        }
    }

    @Test func commandThatResumesHasReferencesOnly() throws {
        func command(_ word: String) throws -> String {
            let words = ["download", "--cert", "me.pem", "--cert-pass", word, "a.example/x"]
            let arguments = try ArgumentParser.parse(Array(words.dropFirst()), for: .download)
            return ContinuationCommand(arguments, user: nil).text
        }
        #expect(try command("hunter2") == "cumulus download -c --cert me.pem a.example/x")
        #expect(try command("env:WORD") == "cumulus download -c --cert me.pem --cert-pass env:WORD a.example/x")
    }
}
