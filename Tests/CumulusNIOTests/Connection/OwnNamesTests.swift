// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusNIO

/// Names and sockets of this machine.
@Suite(.timeLimit(.minutes(10))) struct OwnNamesTests {
    @Test("names below localhost are this machine, regardless of name servers (RFC 6761 section 6.3)")
    func belowLocalhost() async throws {
        let server = try await LoopbackServer.start { $0.get("/") { _ in .text("here") } }
        try await withTransport(server) { transport in
            let answer = try await transport.exchange(server.request(host: "api.localhost"))
            #expect(answer.text == "here")
        }
    }

    @Test("localhost has both loopback addresses, whatever the file of hosts contains")
    func localhost() async throws {
        var place = LoopbackServer.Configuration()
        place.usesIPv6 = true
        let server = try await LoopbackServer.start(configuration: place) { $0.get("/") { _ in .text("here") } }
        try await withTransport(server) { transport in
            try await transport.check(server.request(host: "localhost"), answers: "here")
        }
    }

    @Test("over a Unix socket no proxy is named, and 407 is the server's response") func unixSocket() async throws {
        let folder = try TemporaryFolder()
        var place = LoopbackServer.Configuration()
        place.unixSocketPath = "\(folder.path)/s"
        let server = try await LoopbackServer.start(configuration: place) { routes in
            routes.get("/") { _ in ServerResponse(.init(code: 407), body: [65]) }
        }
        var configuration = NIOTransport.Configuration()
        configuration.unixSocketPath = place.unixSocketPath
        try await withTransport(server, configuration) { transport in
            let site = Resource("http://a.example", transport: transport.watched)
            let policy = try ProxyPolicy.url("http://127.0.0.1:1")
            site.setRules { $0.proxy = policy }
            let response = try await site.get()
            #expect(response.status.code == 407 && response.text == "A")
        }
    }
}
