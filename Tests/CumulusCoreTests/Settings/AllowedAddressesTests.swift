// SPDX-License-Identifier: Apache-2.0

import CumulusOAuth
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// The setting's effect on requests, redirects, links and tokens, over a transport that connects to nothing.
@Suite(.timeLimit(.minutes(10))) struct AllowedAddressesTests {
    /// A third-party transport that doesn't know addresses.
    private final class OldTransport: Transport {
        let capabilities = TransportCapabilities()

        func identity(at origin: Origin) -> TransportIdentity { .anonymous }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            Issue.record("a request came through")
            throw TransportFailure.noAddressGuard(OldTransport.self)
        }
    }

    private func refusal(_ error: CumulusError) throws -> AddressRefusal {
        #expect(error.code == .addressRefused && error.kind == .security && !error.isTransient)
        let failure = try #require(error.cause as? TransportFailure)
        #expect(failure.kind == .forbiddenAddress && failure.fate == .unsent)
        return try #require(failure.cause as? AddressRefusal)
    }

    @Test(
        "an address in the URL is refused before anything is sent, and not retried",
        arguments: [
            ("http://127.0.0.1/", "127.0.0.1", AddressRefusal.Rule.loopback), ("http://[::1]:8080/x", "::1", .loopback),
            ("http://[::ffff:127.0.0.1]/", "127.0.0.1", .loopback),
            ("http://[::ffff:a9fe:a9fe]/latest/meta-data/", "169.254.169.254", .metadata),
            ("https://169.254.169.254/", "169.254.169.254", .metadata), ("http://0.0.0.0/", "0.0.0.0", .unspecified),
            ("http://[64:ff9b::10.0.0.1]/", "64:ff9b::a00:1", .privateUse),
            ("http://[fe80::1]/", "fe80::1", .linkLocal),
            ("http://[2002:7f00:1::]/", "2002:7f00:1::", .transition),
            ("http://192.168.1.1/", "192.168.1.1", .privateUse),
        ]
    )
    func literals(_ url: String, _ address: String, _ rule: AddressRefusal.Rule) async throws {
        let transport = StubTransport { _ in .text("secret") }
        let site = Resource(url, transport: transport.watched) {
            $0.allowedAddresses = .publicOnly
            $0.retry = RetryPolicy(limit: 5, backoff: RetryBackoff(base: .zero))
        }
        let error = try await failure { try await site.get() }
        let (refusal, host) = (try refusal(error), try RequestURL(url).origin.host)
        #expect(refusal.rule == rule && refusal.address == address && refusal.host == host)
        #expect(error.message.contains(refusal.host) && error.message.contains("\(rule)"), "\(error)")
        #expect(error.attempts.isEmpty && transport.requests.isEmpty)
        site.setRules { $0.allowedAddresses = .any }
        #expect(try await site.get().text == "secret")
    }

    @Test(
        "numbers that some resolvers read as addresses are not hosts in a URL",
        arguments: [
            "http://0x7f.1/", "http://2130706433/", "http://0177.0.0.1/", "http://127.1/", "http://0x7f000001/",
            "http://127.0.0.1./", "http://127.0.0.0x1/", "http://[::1%25lo]/",
        ]
    )
    func numbers(_ url: String) async throws {
        let transport = StubTransport { _ in .text("secret") }
        let site = Resource(url, transport: transport.watched) { $0.allowedAddresses = .publicOnly }
        #expect(try await failure { try await site.get() }.code == .invalidURL)
        // Nor in a redirect.
        let start = Resource(
            "https://a.example",
            transport: StubTransport { request in
                request.url == "https://a.example/" ? .response(.found, headers: [.location: url]) : .text("secret")
            }.watched
        )
        start.setRules {
            $0.allowedAddresses = .publicOnly
            $0.redirects = RedirectPolicy(limit: 5)
        }
        #expect(try await failure { try await start.get() }.code != .addressRefused)
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "each hop of a redirect is checked",
        arguments: [
            "http://127.0.0.1/", "//[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "https://[::]/",
            "http://10.0.0.1:8080/x",
        ]
    )
    func redirects(_ location: String) async throws {
        let transport = StubTransport { request in
            switch request.url {
            case "http://a.example/": .response(.found, headers: [.location: "http://b.example/"])
            case "http://b.example/": .response(.found, headers: [.location: .init(location)])
            default: .text("secret")
            }
        }
        let site = Resource("http://a.example", transport: transport.watched) { $0.allowedAddresses = .publicOnly }
        _ = try refusal(try await failure { try await site.get() })
        #expect(transport.requests.map(\.url) == ["http://a.example/", "http://b.example/"])
        #expect(transport.requests.allSatisfy { $0.request.allowedAddresses == .publicOnly })
    }

    @Test("links, children and downloads keep the restriction, at other origins too") func links() async throws {
        let transport = StubTransport { _ in .text("secret") }
        let site = Resource("https://a.example", transport: transport.watched) { $0.allowedAddresses = .publicOnly }
        _ = try refusal(try await failure { try await site.follow("http://127.0.0.1/x").get() })
        _ = try refusal(try await failure { try await site["x"].follow("http://[::1]/").call(.get).stream() })
        _ = try refusal(try await failure { try await site.follow("http://10.0.0.1")["x"].head() })
        let folder = try TemporaryFolder()
        _ = try refusal(
            try await failure { try await site.follow("http://127.0.0.1/x").download(to: .file("\(folder.path)/x")) }
        )
        #expect(transport.requests.isEmpty)
        _ = try await site.follow("http://b.example/x").get()
        #expect(transport.lastRequest?.request.allowedAddresses == .publicOnly)
    }

    @Test("a renewed link of a download is checked") func renewedLinks() async throws {
        let (server, folder) = (RangeServer(RangeServer.bytes(1_000)), try TemporaryFolder())
        server.change { state in state.special = { _, _ in .text("expired", status: .forbidden) } }
        let resource = server.resource()
        resource.setRules { $0.allowedAddresses = .publicOnly }
        let options = DownloadOptions(renewed: { _ in "http://10.0.0.1/pub/data.bin" })
        let error = try await failure {
            try await resource.download(to: .file("\(folder.path)/data"), options: options)
        }
        _ = try refusal(error)
        #expect(server.requests.allSatisfy { $0.request.origin.host != "10.0.0.1" } && folder.names.isEmpty)
    }

    @Test("requests for tokens and authorization server metadata are checked") func tokens()
        async throws
    {
        let transport = StubTransport { _ in .text("secret") }
        for server in [OAuth2Server.endpoints(tokens: "https://10.0.0.1/tokens"), .issuer("https://10.0.0.1")] {
            let site = Resource("https://a.example", transport: transport.watched) {
                $0.allowedAddresses = .publicOnly
                $0.authorizers.append(.oauth2(.clientCredentials(id: "atlas", secret: "s3cret"), server: server))
            }
            let error = try await failure { try await site.get() }
            #expect("\(error)".contains("private address"), "\(error)")
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("a transport that doesn't see its addresses is not used") func incapable() async throws {
        let site = Resource("https://a.example", transport: OldTransport()) {
            $0.allowedAddresses = .publicOnly
        }
        let error = try await failure { try await site.get() }
        #expect(error.code == .unsupported && error.message.contains("OldTransport"))
        #expect(error.message.contains("allowedAddresses") && error.message.contains("NIOTransport"))
        // A host that may have any address is still connected to by a capable transport.
        let policy = try AddressPolicy.publicOnly(allowing: "a.example")
        site.setRules { $0.allowedAddresses = policy }
        #expect(try await failure { try await site.get() }.code == .unsupported)
    }

    @Test func itIsInheritedAndTheNearestWins() async throws {
        let transport = StubTransport { _ in .text("ok") }
        let site = Resource("http://127.0.0.1", transport: transport.watched)
        #expect(site.allowedAddresses == .any)
        site.setRules { $0.allowedAddresses = .publicOnly }
        #expect(site["x"].allowedAddresses == .publicOnly)
        #expect(site.explain(\.allowedAddresses).value == "public only")
        let own = site["x"]
        let policy = try AddressPolicy.publicOnly(allowing: "127.0.0.1")
        own.setRules { $0.allowedAddresses = policy }
        #expect(try await own.get().text == "ok")
        _ = try refusal(try await failure { try await site["y"].get() })
    }

    @Test("two calls share a response only under the same policy") func joins() async throws {
        let site = Resource("http://a.example", transport: StubTransport { _ in .text("ok") }.watched)
        let free = ExchangeSettings(site.snapshotForTests)
        let guarded = ExchangeSettings(site.with { $0.allowedAddresses = .publicOnly }.snapshotForTests)
        #expect(free != guarded && free == ExchangeSettings(site.snapshotForTests))
    }
}

extension Resource {
    fileprivate var snapshotForTests: SettingValues { snapshot.values }
}
