// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusNIO

/// Digest over sockets.
@Suite(.timeLimit(.minutes(10))) struct DigestSocketTests {
    @Test(
        "Sessions and hashed names work over a socket, with one challenge",
        arguments: ["MD5-sess", "SHA-256-sess", "SHA-512-256-sess"],
        [true, false]
    )
    func sessions(algorithm: String, hashesUser: Bool) async throws {
        var options = DigestSpace.Options()
        options.algorithms = [algorithm]
        options.hashesUser = hashesUser
        let space = DigestSpace(user: "zo\u{EB}", password: "p\u{FC}", options: options)
        let server = try await LoopbackServer.start { routes in
            routes.get("/vault") { request in
                space.respond(to: request) { .text(request.headers[.authorization] ?? "") }
            }
        }
        try await withTransport(server) { transport in
            let site = Resource("http://127.0.0.1:\(server.port)/vault", transport: transport.watched) {
                $0.authorizers = [.digest(user: "zo\u{EB}", password: "p\u{FC}")]
            }
            let first = try await site.get()
            #expect(first.attempts.map(\.reason) == [.call, .challenge])
            let facts = first.attempts.map(\.facts)
            #expect(facts.allSatisfy { $0.map { $0.bytesSent > 50 && $0.bytesReceived > 50 } ?? false })
            #expect(facts.map { $0?.isReused } == [false, true])
            #expect(facts.last == first.facts)
            for count in 2...4 {
                let next = try await site.get()
                #expect(next.attempts.map(\.reason) == [.call])
                let proof = try #require(next.text)
                #expect(proof.contains("nc=0000000\(count)") && proof.contains("algorithm=\(algorithm)"))
                #expect(proof.contains("userhash=true") == hashesUser)
            }
            #expect(space.nonceCount == 1)
        }
    }

    @Test("The server's proof of a body (auth-int) is checked at its end, over a socket", arguments: [5, 300_000])
    func provenBodies(size: Int) async throws {
        var options = DigestSpace.Options()
        options.protections = ["auth-int"]
        let space = DigestSpace(user: "ada", password: "lovelace", options: options)
        let body = [UInt8](repeating: 7, count: size)
        let server = try await LoopbackServer.start { routes in
            routes.on(nil, "/vault") { request in space.respond(to: request) { ServerResponse(body: body) } }
            routes.on(nil, "/changed") { request in
                var response = space.respond(to: request) { ServerResponse(body: body) }
                if response.status == .ok { response.content = .bytes(body.map { $0 ^ 1 }) }
                return response
            }
        }
        try await withTransport(server) { transport in
            let site = Resource("http://127.0.0.1:\(server.port)", transport: transport.watched) {
                $0.authorizers = [.digest(user: "ada", password: "lovelace")]
            }
            let opened = try await site["vault"].post(.text("open"))
            #expect(opened.bytes.bytes == body)
            let head = try await site["vault"].head()
            #expect(head.isSuccessful)
            let error = await #expect(throws: CumulusError.self) { try await site["changed"].get() }
            #expect(error?.code == .authorization && error?.message.contains("rspauth") == true)
            let again = try await site["vault"].get()
            #expect(again.bytes.count == size)
        }
    }
}
