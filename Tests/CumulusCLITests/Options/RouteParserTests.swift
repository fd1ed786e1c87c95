// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTestServer
import Foundation
import Testing

@testable import CumulusCLI

struct RouteParserTests {
    private static let pin = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    private func route(_ arguments: String..., files: [String: String] = [:]) throws -> NIOTransport.Configuration {
        guard case .request(let plan) = try Invocation.parse(arguments + ["x.y"], in: .of(files: files)) else {
            throw UsageMistake("no request")
        }
        return plan.route
    }

    @Test func withoutOptionsConnectionsAreOrdinary() throws {
        let (route, usual) = (try route(), NIOTransport.Configuration())
        #expect(route.tls == usual.tls && route.addresses.isEmpty && route.unixSocketPath == nil)
        #expect(route.addressFamily == .any && route.resolver == nil)
    }

    @Test func certificateAndKeyComeFromOneFileOrTwo() throws {
        let certificate = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"
        let key = "-----BEGIN PRIVATE KEY-----\r\nAA==\r\n-----END PRIVATE KEY-----\r\n"
        let files = ["me.pem": certificate, "key.pem": key, "both.pem": certificate + key]
        // For the URL's origin, and no other.
        let origin = Origin(scheme: .https, host: "x.y")
        let apart = try route("--cert", "me.pem", "--cert-key", "key.pem", files: files).tls.identities[origin]
        #expect(apart?.certificateChain == Array(certificate.utf8))
        #expect(apart?.privateKey == Array(key.utf8))
        let both = try route("--cert", "both.pem", files: files).tls.identities[origin]
        #expect(both?.privateKey == Array((certificate + key).utf8))
    }

    @Test func placesAndPinsAreUnderstood() throws {
        let route = try route(
            "--unix-socket",
            "/run/docker.sock",
            "--resolve",
            "API.example.com:127.0.0.1,::1",
            "--resolve",
            "b.c:10.0.0.1",
            "--pin",
            Self.pin
        )
        #expect(route.unixSocketPath == "/run/docker.sock")
        #expect(route.addresses == ["api.example.com": ["127.0.0.1", "::1"], "b.c": ["10.0.0.1"]])
        #expect(try route.tls.pins == ["*": [.init(Self.pin)]])
    }

    @Test(
        arguments: [
            (["--cert-key", "key.pem"], "--cert-key"), (["--cert", "missing.pem"], "missing.pem"),
            (["--pin", "sha1/AAAA"], "sha1/AAAA"), (["--resolve", "127.0.0.1"], "127.0.0.1"),
            (["--resolve", ":127.0.0.1"], ":127.0.0.1"), (["--resolve", "a.b:"], "a.b"),
        ]
    )
    func whatCannotBeMeantIsNamed(_ arguments: [String], _ named: String) throws {
        do {
            _ = try Invocation.parse(arguments + ["x.y"], in: .of())
            Issue.record("it was taken")
        } catch {
            #expect("\(error)".contains(named), "\(error)")
        }
    }

    @Test func theCommandSpeaksThroughASocketAndHoldsThePins() async throws {
        let path = "/tmp/cumulus-\(UUID().uuidString.prefix(8)).socket"
        var settings = LoopbackServer.Configuration()
        settings.unixSocketPath = path
        let local = try await LoopbackServer.start(configuration: settings) { $0.get("/") { _ in .text("local") } }
        let console = MemoryConsole()
        #expect(await console.run("--unix-socket", path, "get", "http://docker/") == .success)
        #expect(console.output == "local")
        await local.shutdown()

        try await withLoopbackServer(tls: .selfSigned(), routes: { $0.get("/") { _ in .text("hi") } }) { server in
            let console = MemoryConsole()
            #expect(await console.run("--verify=no", "--pin", Self.pin, "get", server.url) == .tls)
            let note = try #require(console.notes.last)
            // The error contains the key, so that it can be pinned.
            let start = try #require(note.range(of: "sha256/"))
            let found = String(note[start.lowerBound...].prefix { !$0.isWhitespace })
            let pinned = MemoryConsole()
            let status = await pinned.run("--verify=no", "--pin", found, "get", server.url)
            #expect(status == .success, "\(pinned.notes)")
        }
    }
}
