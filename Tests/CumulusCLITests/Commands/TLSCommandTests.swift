// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import TestSupport
import Testing

@testable import CumulusCLI

/// The facts of TLS that the command shows, and its options for TLS.
@Suite(.timeLimit(.minutes(10))) struct TLSCommandTests {
    private func withServer(
        clients: TestCertificateAuthority? = nil,
        _ body: (LoopbackServer, _ root: String) async throws -> Void
    ) async throws {
        let authority = try TestCertificateAuthority(name: "Our root")
        var tls = try ServerTLS.issued(by: authority, hosts: ["localhost", "127.0.0.1"])
        tls.applicationProtocols = ["h2", "http/1.1"]
        tls.clientRootPEM = clients?.rootPEM
        var configuration = LoopbackServer.Configuration()
        configuration.http2 = .negotiated
        try await withLoopbackServer(tls: tls, configuration: configuration) { routes in
            routes.get("/x") { _ in .text("safe") }
        } _: { server in
            try await body(server, authority.rootPEM)
        }
    }

    @Test func metadataHasTheConnectionsTLS() async throws {
        try await withServer { server, root in
            let console = MemoryConsole(files: ["root.pem": root])
            #expect(await console.run("-m", "--verify", "root.pem", "\(server.url)/x") == .success)
            let lines = console.output.split(separator: "\n").map(String.init)
            #expect(lines.contains("TLS version: TLS 1.3") && lines.contains("Subject: CN=localhost"), "\(lines)")
            #expect(lines.contains("Issuer: CN=Our root"))
            #expect(lines.contains { $0.hasPrefix("Cipher suite: TLS_") })
            #expect(lines.contains { $0.hasPrefix("Expires: 20") && $0.hasSuffix("Z") })
            let format = "{tls_version}|{tls_cipher}|{cert_subject}|{cert_issuer}|{cert_expires}"
            let script = MemoryConsole(files: ["root.pem": root])
            #expect(
                await script.run("-q", "--tls-max", "1.2", "-w", format, "--verify", "root.pem", "\(server.url)/x")
                    == .success
            )
            let values = script.output.split(separator: "|")
            #expect(values.count == 5 && values[0] == "TLS 1.2" && values[2...3] == ["CN=localhost", "CN=Our root"])
            #expect(values.count == 5 && values[1].hasPrefix("TLS_ECDHE_ECDSA_WITH_"), "\(values)")
            let object = MemoryConsole(files: ["root.pem": root])
            #expect(await object.run("-m", "--json", "--verify", "root.pem", "\(server.url)/x") == .success)
            let json = try JSON(parsing: object.output)
            #expect(json["cert_issuer"].string == "CN=Our root")
        }
    }

    @Test func connectionWithoutTLSShowsNone() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .text("plain") } }) { server in
            let console = MemoryConsole()
            #expect(await console.run("-m", "\(server.url)/x") == .success)
            #expect(!console.output.contains("TLS") && !console.output.contains("Subject"), "\(console.output)")
            let script = MemoryConsole()
            #expect(await script.run("-q", "-w", "<{tls_version}{cert_subject}>", "\(server.url)/x") == .success)
            #expect(script.output == "<>\n")
        }
    }

    @Test("-v shows HTTP/2 as the version of the request and of the response")
    func http2() async throws {
        try await withServer { server, root in
            let console = MemoryConsole(files: ["root.pem": root])
            #expect(await console.run("-v", "--verify", "root.pem", "\(server.url)/x") == .success)
            #expect(console.output.hasPrefix("GET /x HTTP/2\n"), "\(console.output)")
            #expect(console.output.contains("\nHTTP/2 200"), "\(console.output)")
        }
    }

    @Test func suitesAreThoseOfTheOption() async throws {
        try await withServer { server, root in
            let suite = "ECDHE-ECDSA-CHACHA20-POLY1305"
            let words = ["-q", "-w", "{tls_cipher}", "--verify", "root.pem", "--tls-max", "1.2", "--ciphers", suite]
            let console = MemoryConsole(files: ["root.pem": root])
            #expect(await console.console.run(words + ["\(server.url)/x"]) == .success, "\(console.notes)")
            #expect(console.output == "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256\n")
        }
        for list in ["ALL", "TLS_AES_128_GCM_SHA256", ":", "RC4-SHA"] {
            let console = MemoryConsole()
            #expect(await console.run("--ciphers", list, "https://a.invalid/") == .usage)
            #expect(console.notes.first?.contains("--ciphers") == true, "\(console.notes)")
        }
        let versions = MemoryConsole()
        #expect(await versions.run("--tls-min", "1.3", "--tls-max", "1.2", "https://a.invalid/") == .usage)
    }
}

extension Console {
    fileprivate func run(_ arguments: [String]) async -> CommandStatus { await CommandRun(self).run(arguments) }
}
