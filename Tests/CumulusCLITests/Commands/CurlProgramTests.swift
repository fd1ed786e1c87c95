// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTestServer
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// `--curl`, run in a shell with the installed curl: the server sees the same request.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere && BuiltProgram.hasCurl)) struct CurlProgramTests {
    private func run(_ arguments: [String], shell: String = #"exec "$@""#) async throws -> BuiltProgram.End {
        let program = try BuiltProgram(arguments, shell: shell)
        try program.write()
        return try await program.end()
    }

    /// A shell's line that runs the printed command.
    private static let runningCurl = "sh -c \"$(\"$@\") -s\""

    /// A request field by field, in a fixed order.
    private func fields(_ request: ServerRequest) -> [String] {
        request.headers.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
    }

    private static let lines: [[String]] = [
        ["URL/x"],
        ["URL/x?b=2", "a==it's", "X-A:1", "User-Agent:"],
        ["put", "URL/x", "name=Ada", "age:=36"],
        ["-f", "URL/x", "a=x y", "b=&"],
        ["delete", "URL/x", "--raw", "bye"],
        ["head", "URL/x"],
        ["-a", "ada:love lace", "URL/x"],
        ["-A", "bearer", "-a", "t0ken", "URL/x", "--timeout", "50", "--max-time", "90", "--retry", "1"],
        ["URL/from", "--max-redirects", "3"],
        ["--http-version", "1.1", "URL/x"],
        ["--resolve", "nowhere.test:127.0.0.1", "http://nowhere.test:PORT/x"],
        ["--resolve", "nowhere.test:PORT:127.0.0.1", "http://nowhere.test:PORT/x", "a=1"],
        ["--proxy", "http://127.0.0.1:1", "--noproxy", "127.0.0.1", "URL/x"],
        ["-A", "digest", "-a", "ada:pw", "URL/x"],
    ]

    @Test("curl sends what cumulus sends, field by field", arguments: lines)
    func sameRequest(line: [String]) async throws {
        try await withLoopbackServer(routes: { routes in
            routes.get("/from") { _ in .redirect(to: "/to") }
            routes.on(nil, "/*") { _ in .text("fine\n") }
        }) { server in
            let words = line.map {
                $0.replacing("URL", with: server.url).replacing("PORT", with: "\(server.port)")
            }
            try await expectSame(words, at: server)
        }
    }

    /// Sends a command line with cumulus and with curl, and expects that the server sees the same requests.
    private func expectSame(_ words: [String], at server: LoopbackServer) async throws {
        let sent = try await run(words)
        #expect(sent.status == 0, "\(sent.notes)")
        let own = server.requests
        let printed = try await run(["--curl", "--show-secrets"] + words)
        #expect(printed.status == 0, "\(printed.notes)")
        let curl = try await run(["--curl", "--show-secrets"] + words, shell: Self.runningCurl)
        #expect(curl.status == 0, "\(printed.output) \(curl.notes)")
        // With -I curl prints the head.
        if !words.contains("head") { #expect(curl.output == sent.output) }
        let theirs = Array(server.requests.dropFirst(own.count))
        #expect(theirs.count == own.count && !own.isEmpty, "\(printed.output)")
        for (one, other) in zip(own, theirs) {
            #expect(one.method == other.method && one.target == other.target && one.body == other.body)
            #expect(fields(one) == fields(other), "\(printed.output)")
            #expect(usesHTTP2(one) == usesHTTP2(other), "\(printed.output)")
        }
    }

    /// Whether the fields' names are in lower case, as HTTP/2 has them (RFC 9113 section 8.2).
    private func usesHTTP2(_ request: ServerRequest) -> Bool {
        request.headers.allSatisfy { $0.name.rawName == $0.name.canonicalName }
    }

    /// A server over TLS that demands a client certificate; both sides have authorities of their own.
    private func withSecureServer(
        _ body: (LoopbackServer, _ trust: [String], _ pin: [String], _ identity: [String]) async throws -> Void
    ) async throws {
        let (servers, clients) = (try TestCertificateAuthority(), try TestCertificateAuthority(name: "Clients"))
        var tls = try ServerTLS.issued(by: servers)
        tls.applicationProtocols = ["h2", "http/1.1"]
        tls.clientRootPEM = clients.rootPEM
        var configuration = LoopbackServer.Configuration()
        configuration.http2 = .negotiated
        let folder = try TemporaryFolder()
        let own = try clients.issue(hosts: ["me"])
        let certificate = try folder.write(own.certificatesPEM.joined(separator: "\n"), to: "me.pem")
        let key = try folder.write(own.privateKeyPEM, to: "key.pem")
        let root = try folder.write(tls.rootPEM, to: "root.pem")
        let leaf = Array(tls.identity.certificatesPEM[0].utf8)
        let pin = try NIOTransport.Configuration.TLS.PublicKeyPin(certificate: leaf).description
        try await withLoopbackServer(tls: tls, configuration: configuration) { routes in
            routes.on(nil, "/*") { _ in .text("fine\n") }
        } _: { server in
            try await body(server, ["--verify", root], ["--pin", pin], ["--cert", certificate, "--cert-key", key])
        }
    }

    @Test(
        "over TLS curl trusts the same server, and shows it the same certificate",
        .enabled(if: BuiltProgram.curlSpeaksHTTP2, "this curl has no HTTP/2"),
        arguments: [
            (["URL/x"], true), (["--http-version", "2", "URL/x?b=2", "X-A:1"], true),
            (["--http-version", "2", "head", "URL/x"], true), (["--http-version", "auto", "URL/x", "a=1"], true),
            (["--http-version", "1.1", "put", "URL/x", "a=1"], false), (["--tls-min", "1.3", "URL/x"], true),
        ]
    )
    func sameRequestOverTLS(line: [String], isHTTP2: Bool) async throws {
        try await withSecureServer { server, trust, pin, identity in
            let words = trust + pin + identity + line.map { $0.replacing("URL", with: server.url) }
            try await expectSame(words, at: server)
            // Only the test's client has a certificate that the server accepts.
            #expect(server.requests.map { usesHTTP2($0) } == [isHTTP2, isHTTP2])
        }
    }

    @Test(
        "curl refuses, and is refused, where cumulus is",
        .enabled(if: BuiltProgram.curlSpeaksHTTP2, "this curl has no HTTP/2")
    )
    func sameRefusalOverTLS() async throws {
        let other = ["--pin", "sha256/\(String(repeating: "A", count: 43))="]
        try await withSecureServer { server, trust, pin, identity in
            for words in [trust + pin, pin + identity, trust + other + identity] {
                let line = words + ["\(server.url)/x"]
                #expect(try await run(line).status != 0, "\(line)")
                let curl = try await run(["--curl"] + line, shell: Self.runningCurl)
                #expect(curl.status != 0 && curl.output.isEmpty, "\(line)")
            }
            #expect(server.requests.isEmpty)
            // A second key is one for the day on which the server changes its own.
            try await expectSame(trust + pin + other + identity + ["\(server.url)/x"], at: server)
        }
    }

    @Test("a multipart form becomes curl's -F, with the same fields, names and types")
    func multipart() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a \"picture\"", to: "it's; a \"cat\".png")
        try await withLoopbackServer(routes: { $0.on(nil, "/*") { _ in .text("fine\n") } }) { server in
            let words = [
                "--multipart", "\(server.url)/x", "title=@5;type=x", "meta={\"a\": 1};type=application/json",
                "photo@\(path)",
                "b@\(path);type=text/x;filename=n.txt",
            ]
            let line = words.map { $0.replacing("title=@5", with: "title=\\@5") }
            let sent = try await run(line)
            #expect(sent.status == 0, "\(sent.notes)")
            let curl = try await run(["--curl"] + line, shell: Self.runningCurl)
            #expect(curl.status == 0, "\(curl.notes)")
            let requests = server.requests
            #expect(requests.count == 2)
            let texts = requests.map { request in
                let boundary = request.headers[.contentType]?.components(separatedBy: "boundary=").last ?? "?"
                // curl's form has no fixed order of a part's fields.
                return request.text.replacing(boundary, with: "B").components(separatedBy: "--B").map { part in
                    part.components(separatedBy: "\r\n").sorted()
                }
            }
            #expect(texts.first == texts.last)
            let hidden = try await run(["--curl", "--multipart", "\(server.url)/x", "password=hunter2"])
            #expect(hidden.output.contains("--form-string 'password=<redacted>'"), "\(hidden.output)")
            let inner = [#"meta:={"password":"hunter2","b":1}"#, "note=to https://u:hunter2@h/", "b=c"]
            let within = try await run(["--curl", "--multipart", "\(server.url)/x"] + inner)
            #expect(
                !within.output.contains("hunter2") && within.output.contains("--form-string 'note=<redacted>'")
                    && within.output.contains("--form-string 'b=c'"),
                "\(within.output)"
            )
        }
    }

    @Test("curl uses a Unix domain socket, too")
    func unixSocket() async throws {
        let folder = try TemporaryFolder()
        var configuration = LoopbackServer.Configuration()
        configuration.unixSocketPath = "\(folder.path)/s"
        let server = try await LoopbackServer.start(configuration: configuration) { routes in
            routes.get("/x") { _ in .text("by socket\n") }
        }
        let line = ["--unix-socket", "\(folder.path)/s", "http://somewhere/x"]
        #expect(try await run(line).output == "by socket\n")
        #expect(try await run(["--curl"] + line, shell: Self.runningCurl).output == "by socket\n")
        #expect(server.requests.map { $0.headers.first?.value } == ["somewhere", "somewhere"])
        await server.shutdown()
    }

    @Test("trusted authorities and client certificates are passed to curl as well")
    func trust() async throws {
        let tls = try ServerTLS.selfSigned()
        let folder = try TemporaryFolder()
        try await withLoopbackServer(tls: tls, routes: { $0.get("/x") { _ in .text("safe\n") } }) { server in
            let careless = ["--verify=no", "\(server.url)/x"]
            #expect(
                try await run(["--curl"] + careless, shell: "sh -c \"$(\"$@\" 2>/dev/null) -s\"").output == "safe\n"
            )
            let distrust = try await run(["--curl", "\(server.url)/x"], shell: Self.runningCurl)
            #expect(distrust.status != 0)
        }
        let pem = try folder.write("-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n", to: "me.pem")
        let pin = "sha256/\(String(repeating: "A", count: 43))="
        let line = try await run([
            "--curl", "--cert", pem, "--cert-key", pem, "--verify", pem, "--pin", pin, "https://a.b/",
        ])
        #expect(
            line.output.contains("--cacert \(pem) --cert \(pem) --key \(pem) --pinnedpubkey 'sha256//"),
            "\(line.notes)"
        )
        let rest = try await run([
            "--curl", "--http-version", "2", "--max-time", "7", "--timeout", "2.5", "--proxy=", "-o", "f",
            "https://a.b/",
        ])
        #expect(rest.output.contains("curl -L --http2 --noproxy '*' --connect-timeout 2.5 --speed-limit 1"))
        #expect(rest.output.contains("--speed-time 3 --max-time 7 -o f "))
        #expect(!(try await run(["--curl", "--no-follow", "https://a.b/"]).output.contains("-L")))
    }

    @Test("options without an equivalent in curl are reported")
    func missing() async throws {
        let program = try BuiltProgram(["--curl", "--public-only", "--allow-address", "::1", "https://a.test/"])
        try program.write()
        let end = try await program.end()
        #expect(end.notes.contains("--curl omits --public-only"), "\(end.notes)")
        #expect(end.notes.contains("--curl omits --allow-address"))
        #expect(end.output.hasPrefix("curl ") && !end.output.contains("public"))
    }
}
