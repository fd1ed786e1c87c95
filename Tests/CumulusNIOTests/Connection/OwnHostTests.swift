// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import NIOHPACK
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct OwnHostTests {
    @Test(
        "an invalid Host of the caller's own is refused",
        arguments: [
            "", ":80", "a:", "a:65536", "a:1:2", "a:+1", "a b", "a,b", "a/b", "a@b", "a?b", "a#b", "[::1", "[]", "::1",
            "[::1]x", "a\u{301}", "a%2Fb", "http://a", "a\\b", "[a.example]", "a:\u{661}",
        ]
    )
    func malformedOwnHost(_ host: String) throws {
        let name = try #require(HTTPField.Name("Host"))
        let fields = HTTPFields([HTTPField(name: name, value: host)])
        let request = TransportRequest(origin: Origin(scheme: .http, host: "example.com"), headers: fields)
        let failure = #expect(throws: TransportFailure.self) { try OutgoingRequest(request) }
        #expect(failure?.kind == .invalidRequest)
    }

    @Test("the caller's own Host changes neither the request's target nor its connection")
    func goesByTheURL() async throws {
        let server = try await LoopbackServer.start(routes: {
            $0.get("/") { request in .text(HTTPField.Name("Host").flatMap { request.headers[$0] } ?? "") }
        })
        let name = try #require(HTTPField.Name("Host"))
        try await withTransport(server) { transport in
            for host in ["a.example", "b.example:81"] {
                let request = server.request(headers: HTTPFields([HTTPField(name: name, value: host)]))
                try await transport.check(request, answers: host)
            }
            try await transport.check(server.request(), answers: "127.0.0.1:\(server.port)")
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test("over HTTP/2 it is the authority, and not a field") func authority() throws {
        let name = try #require(HTTPField.Name("Host"))
        let request = TransportRequest(
            origin: Origin(scheme: .https, host: "example.com"),
            headers: HTTPFields([HTTPField(name: name, value: "a.example")])
        )
        let host = try OutgoingRequest(request).traits.host
        let fields = HTTP2RequestHead.fields(of: request, host: host)
        #expect(fields[":authority"] == ["a.example"])
        #expect(fields["host"] == [])
    }
}
