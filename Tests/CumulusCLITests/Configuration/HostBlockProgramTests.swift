// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTestServer
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// The blocks of a configuration for hosts decide about the connections to those hosts only.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct HostBlockProgramTests {
    /// Nobody verifies the certificate of `localhost`.
    private static let open = "[hosts.\"localhost\"]\nverify = \"no\"\n"
    private static let otherPin = "sha256/" + String(repeating: "A", count: 43) + "="

    private func withSecureServer(_ body: (LoopbackServer, ServerTLS) async throws -> Void) async throws {
        let tls = try ServerTLS.selfSigned()
        try await withLoopbackServer(
            tls: tls,
            routes: { routes in
                routes.get("/dev") { _ in .text("dev") }
                routes.get("/bank") { _ in .text("bank") }
                routes.get("/to") { request in .status(.found, headers: [.location: request.query ?? ""]) }
                routes.post("/token") { _ in .json(#"{"access_token":"t","token_type":"Bearer"}"#) }
            },
            { server in try await body(server, tls) }
        )
    }

    private func paths(_ server: LoopbackServer) -> [String] { server.requests.map(\.path) }

    @Test("verify = \"no\" of one URL's host doesn't apply to the other's, in either order")
    func severalURLs() async throws {
        try await withSecureServer { server, _ in
            let home = try ConfigurationHome(Self.open)
            let (dev, bank) = ("\(server.url(host: "localhost"))/dev", "\(server.url)/bank")
            for urls in [[dev, bank], [bank, dev]] {
                let end = try await home.run(["-a", "u:pw"] + urls)
                #expect(end.status == CommandStatus.tls.rawValue, "\(end.notes)")
                #expect(end.output == "dev")
                #expect(end.notes.contains("NOT checked") && end.notes.contains("config.toml, line 2"), "\(end.notes)")
            }
            #expect(paths(server) == ["/dev", "/dev"])
            // On the command line it is for the whole run.
            #expect(try await home.run("--verify=no", dev, bank).output == "devbank")
        }
    }

    @Test("neither does it in a list of downloads")
    func downloads() async throws {
        try await withSecureServer { server, _ in
            let home = try ConfigurationHome(Self.open)
            let end = try await home.run(
                "download",
                "-a",
                "u:pw",
                "\(server.url(host: "localhost"))/dev",
                "\(server.url)/bank"
            )
            #expect(end.status == CommandStatus.tls.rawValue, "\(end.notes)")
            #expect(paths(server) == ["/dev"])
        }
    }

    @Test("the pin of the second URL's host is compared, and the first one's only there")
    func pins() async throws {
        try await withSecureServer { server, tls in
            let home = try ConfigurationHome()
            let (dev, bank) = ("\(server.url(host: "localhost"))/dev", "\(server.url)/bank")
            try home.write(tls.rootPEM, to: "root.pem")
            for (host, good) in [("127.0.0.1", "dev"), ("localhost", "bank")] {
                try home.write(
                    """
                    [defaults]
                    verify = "\(home.folder.path)/root.pem"
                    [hosts."\(host)"]
                    pin = "\(Self.otherPin)"
                    """,
                    to: "config/cumulus/config.toml"
                )
                let end = try await home.run(dev, bank)
                #expect(end.status == CommandStatus.tls.rawValue && end.output == good, "\(end.notes)")
                #expect(end.notes.contains("not one of the pinned keys"), "\(end.notes)")
            }
        }
    }

    @Test("a redirect from a host that isn't verified leads to one that is")
    func redirectAway() async throws {
        try await withSecureServer { server, _ in
            let home = try ConfigurationHome(Self.open)
            let url = "\(server.url(host: "localhost"))/to?\(server.url)/bank"
            let end = try await home.run(url)
            #expect(end.status == CommandStatus.tls.rawValue, "\(end.notes)")
            #expect(paths(server) == ["/to"])
            #expect(try await home.run("--verify=no", url).output == "bank")
        }
    }

    @Test("a redirect to a host that isn't verified says so once, even with -qq")
    func redirectBack() async throws {
        try await withSecureServer { server, tls in
            let home = try ConfigurationHome()
            try home.write(tls.rootPEM, to: "root.pem")
            try home.write(
                "\(Self.open)[hosts.\"127.0.0.1\"]\nverify = \"\(home.folder.path)/root.pem\"\n",
                to: "config/cumulus/config.toml"
            )
            let url = "\(server.url)/to?\(server.url(host: "localhost"))/dev"
            let end = try await home.run(url)
            let warning =
                "cumulus: warning: \(server.url(host: "localhost")): the server's certificate is NOT checked: "
                + "verify is set in \(home.folder.path)/config/cumulus/config.toml, line 2\n"
            #expect(end.output == "dev" && end.notes == warning, "\(end.notes)")
            let silent = try await home.run("-qq", url)
            #expect(
                silent.notes == "Cumulus: warning: a transport was created that does not verify TLS certificates.\n"
            )
        }
    }

    @Test("a token endpoint is verified by its own host's block")
    func tokenEndpoint() async throws {
        try await withSecureServer { server, _ in
            let home = try ConfigurationHome(Self.open)
            let end = try await home.run(
                "login",
                server.url(host: "localhost"),
                "--tokens",
                "\(server.url)/token",
                "--client",
                "atlas",
                "--secret",
                "s3cret"
            )
            #expect(end.status == CommandStatus.tls.rawValue, "\(end.notes)")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a folder's file can't take the protection of credentials in your own file")
    func folderFile() async throws {
        try await withSecureServer { server, _ in
            let home = try ConfigurationHome("[hosts.\"127.0.0.1\"]\nauth = \"ada:pw\"\n", mode: 0o600)
            try home.write(Self.open, to: "work/.cumulus.toml")
            #expect(try await home.run("trust", "--yes").status == 0)
            let end = try await home.run("\(server.url(host: "localhost"))/dev", "\(server.url)/bank")
            #expect(end.status == CommandStatus.tls.rawValue && end.output == "dev", "\(end.notes)")
            #expect(paths(server) == ["/dev"])
            #expect(server.requests.first?.headers[.authorization] == nil)
        }
    }

    @Test("each host has its own addresses, Unix domain socket and version of TLS")
    func places() async throws {
        let path = "/tmp/cumulus-\(UUID().uuidString.prefix(8)).socket"
        var settings = LoopbackServer.Configuration()
        settings.unixSocketPath = path
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .text("tcp ") } }) { server in
            try await withLoopbackServer(
                configuration: settings,
                routes: { routes in
                    routes.get("/x") { _ in .text("socket ") }
                    routes.get("/to") { _ in .status(.found, headers: [.location: "\(server.url)/x"]) }
                }
            ) { _ in
                let home = try ConfigurationHome(
                    """
                    [hosts."docker.test"]
                    unix-socket = "\(path)"
                    [hosts."a.test"]
                    resolve = "a.test:127.0.0.1"
                    [hosts."b.test"]
                    resolve = "b.test:127.0.0.1"
                    """
                )
                let urls = ["http://docker.test", server.url(host: "a.test"), server.url(host: "b.test")]
                let end = try await home.run(urls.map { "\($0)/x" })
                #expect(end.status == 0 && end.output == "socket tcp tcp ", "\(end.notes)")
                #expect(try await home.run("http://docker.test/to").output == "tcp ")
                // With a proxy of the environment, too, the socket is used directly.
                #expect(try await home.run("--proxy", "http://127.0.0.1:1", "http://docker.test/x").output == "socket ")
            }
        }
        let surroundings = Surroundings.of(configuration: "[hosts.\"a.test\"]\ntls-min = \"1.3\"\n")
        let connections = try #require(try plan(["https://b.test/"], in: surroundings).connections)
        for (host, version) in [("a.test", NIOTransport.Configuration.TLS.Version.tls13), ("b.test", .tls12)] {
            let connection = try connections.connection(to: Origin(scheme: .https, host: host))
            #expect(connection.configuration.tls.minimumVersion == version)
        }
    }

    @Test("what is stored for one way of connecting isn't used for another") func identities() throws {
        func router(_ block: String) throws -> OriginRouter {
            let surroundings = Surroundings.of(configuration: "[hosts.\"a.test\"]\n\(block)\n")
            let connections = try #require(try plan(["https://a.test/"], in: surroundings).connections)
            return OriginRouter(connections, identities: [:]) { _ in }
        }
        let a = Origin(scheme: .https, host: "a.test")
        let blocks = ["tls-min = \"1.3\"", "resolve = \"a.test:127.0.0.1\"", "unix-socket = \"/tmp/x\""]
        let identities = try blocks.map { try router($0).identity(at: a) }
        #expect(Set(identities).count == blocks.count && !identities.contains(.unknown))
        #expect(!identities.contains(.anonymous))
        #expect(try router("verify = \"no\"").identity(at: a) == .unknown)
    }

    @Test("a proxy with TLS is verified by its own host's block, not by that of the URL's host")
    func proxies() async throws {
        var configuration = LoopbackProxy.Configuration()
        configuration.tls = try ServerTLS.selfSigned()
        let proxy = try await LoopbackProxy.start(configuration)
        let place = "https://127.0.0.1:\(proxy.port)"
        try await withSecureServer { server, _ in
            let url = "\(server.url(host: "localhost"))/dev"
            let end = try await ConfigurationHome(Self.open).run("--proxy", place, "--proxy-user", "p:pw", url)
            #expect(end.notes.contains("TLS with the proxy"), "\(end.notes)")
            #expect(proxy.record.heads.isEmpty && server.requests.isEmpty)
            let both = try ConfigurationHome("\(Self.open)[hosts.\"127.0.0.1\"]\nverify = \"no\"\n")
            #expect(try await both.run("--proxy", place, url).output == "dev")
        }
        proxy.shutdown()
    }

    @Test("an unusable block of a redirect's host is an error with its place")
    func unusable() async throws {
        try await withSecureServer { server, _ in
            let home = try ConfigurationHome("\(Self.open)[hosts.\"127.0.0.1\"]\nverify = \"/missing.pem\"\n")
            let end = try await home.run("\(server.url(host: "localhost"))/to?\(server.url)/bank")
            #expect(end.status == CommandStatus.usage.rawValue, "\(end.notes)")
            #expect(end.notes.contains("config.toml, line 4") && end.notes.contains("/missing.pem"), "\(end.notes)")
        }
    }

    @Test("certificates go to the command line's URLs, and to hosts whose block has one")
    func certificates() throws {
        let both =
            "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"
            + "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n"
        let surroundings = Surroundings.of(
            configuration: """
                [defaults]
                cert = "me.pem"
                [hosts."a.test"]
                cert = "a.pem"
                """,
            files: ["me.pem": both, "a.pem": both + "\n"]
        )
        func chain(_ host: String, _ arguments: String...) throws -> Int? {
            let plan = try plan(arguments, in: surroundings)
            let origin = Origin(scheme: .https, host: host)
            let connection = try plan.connections?.connection(to: origin)
            let identity = plan.route.tls.identities[origin] ?? connection?.configuration.tls.identities[origin]
            return identity?.certificateChain.count
        }
        #expect(try chain("b.test", "https://b.test") == both.utf8.count)
        #expect(try chain("c.test", "https://b.test") == nil)
        #expect(try chain("a.test", "https://b.test") == both.utf8.count + 1)
        #expect(try chain("a.test", "--cert", "me.pem", "https://a.test") == both.utf8.count)
        #expect(try chain("c.test", "--cert", "me.pem", "https://b.test") == nil)
    }

    @Test("a run without blocks for hosts has no other way to connect")
    func plain() throws {
        let surroundings = Surroundings.of(
            configuration: "[defaults]\nverify = \"no\"\n[hosts.\"a.test\"]\ntimeout = 3\n"
        )
        #expect(try plan(["https://b.test/"], in: surroundings).connections == nil)
    }

    @Test("--verify=no prints the command's warning, and with -qq the library's")
    func silence() async throws {
        try await withSecureServer { server, _ in
            let home = try ConfigurationHome()
            let silent = try await home.run("-qq", "--verify=no", "\(server.url)/dev")
            #expect(silent.status == 0)
            #expect(
                silent.notes == "Cumulus: warning: a transport was created that does not verify TLS certificates.\n"
            )
            let usual = try await home.run("--verify=no", "\(server.url)/dev")
            let warning =
                "cumulus: warning: --verify=no: the server's certificate is NOT checked; "
                + "anyone on the network path can read and change everything\n"
            #expect(usual.notes == warning)
        }
    }
}

extension Surroundings {
    /// Surroundings with a configuration in the user's folder.
    fileprivate static func of(configuration: String, files: [String: String] = [:]) -> Surroundings {
        var surroundings = Surroundings.of(environment: ["HOME": "/home"], files: files)
        surroundings.readConfiguration = { path, _ in path.hasPrefix("/home/") ? Array(configuration.utf8) : nil }
        return surroundings
    }
}
