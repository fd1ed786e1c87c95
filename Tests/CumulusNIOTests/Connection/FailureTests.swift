// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import Testing

@testable import CumulusNIO

#if os(Linux)
import Glibc
#endif

@Suite(.timeLimit(.minutes(10))) struct FailureTests {
    @Test(
        "an invalid response is refused by its kind",
        arguments: [
            ("garbage\r\n\r\n", TransportFailure.Kind.malformedResponse),
            ("HTTP/1.0 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", .malformedResponse),
            ("HTTP/1.1 200 OK\rContent-Length: 0\r\n\r\n", .malformedResponse),
            ("HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n", .malformedResponse),
            ("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n0\n\n", .malformedResponse),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .malformedResponse),
            ("HTTP/1.1 200 OK\r\nA: " + String(repeating: "x", count: 300_000), .headerTooLarge),
            ("", .connectionClosed),
            ("HTTP/1.1 2", .connectionClosed),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", .truncated),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", .truncated),
        ]
    )
    func namesWhatWasWrong(_ text: String, _ kind: TransportFailure.Kind) async throws {
        let server = try await LoopbackServer.start(raw: .response(text))
        try await withTransport(server) { transport in
            let failure = await transport.failure(server.request())
            #expect(failure?.kind == kind)
            #expect(failure?.fate == .unknown)
            #expect(failure?.message.isEmpty == false)
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test("the TLS alert of a server that expects https is named, for each version of it", arguments: 0...4)
    func plainRequestToTLS(version: UInt8) async throws {
        // `protocol_version`, fatal.
        let alert = String(decoding: [0x15, 0x03, version, 0x00, 0x02, 0x02, 0x46], as: UTF8.self)
        let server = try await LoopbackServer.start(raw: .response(alert))
        try await withTransport(server) { transport in
            let failure = await transport.failure(server.request())
            #expect(failure?.kind == .malformedResponse)
            #expect(failure?.message == "the response is a TLS record, so the URL must begin with https")
        }
    }

    #if os(Linux)
    @Test("a server that closes a port for TLS without a response leads to a hint", arguments: [80, 443, 8_443, 4_433])
    func silentTLSPort(port: Int) async throws {
        let server = PlainServer(isUnix: true)
        try await NIOTransport.withTransport(server.configuration) { transport in
            // The socket replaces the host and its port.
            var request = server.request()
            request.origin = Origin(scheme: .http, host: "127.0.0.1", port: port)
            async let closing: Void = blocking {
                let peer = server.accept()
                PlainServer.readHead(peer)
                close(peer)
            }
            let failure = await transport.failure(request)
            await closing
            #expect(failure?.kind == .connectionClosed)
            let hint = port == 80 ? "" : "; if the server expects TLS, the URL must begin with https"
            #expect(failure?.message == "the connection was closed before a response" + hint)
        }
    }
    #endif

    @Test func givesOutTheBodyUpToWhereItBreaksOff() async throws {
        let server = try await LoopbackServer.start(
            raw: .response("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello")
        )
        try await withTransport(server) { transport in
            let response = try await transport.send(server.request())
            #expect(response.body.expectedLength == 9)
            #expect(try await response.body.next()?.bytes == Array("hello".utf8))
            for _ in 0..<2 {
                let failure = await #expect(throws: TransportFailure.self) { try await response.body.next() }
                #expect(failure?.kind == .truncated)
            }
        }
    }

    @Test func tellsAReset() async throws {
        let server = try await LoopbackServer.start(raw: [.awaitHead, .reset])
        try await withTransport(server) { transport in
            let failure = await transport.failure(server.request())
            #expect(failure?.kind == .connectionClosed)
            #expect(failure?.message.contains("reset") == true)
        }
    }

    @Test func tellsARefusedConnection() async throws {
        let server = try await LoopbackServer.start()
        let request = server.request()
        await server.shutdown()
        try await withTransport(server) { transport in
            let failure = await transport.failure(request)
            #expect(failure?.kind == .connect)
            #expect(failure?.fate == .unsent)
            #expect(failure?.message.contains("refused") == true)
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test func tellsARefusedConnectionByName() async throws {
        let server = try await LoopbackServer.start()
        let request = server.request(host: "localhost")
        await server.shutdown()
        try await withTransport(server) { transport in
            #expect(await transport.failure(request)?.kind == .connect)
        }
    }

    @Test func tellsAHostThatIsNotFound() async throws {
        // A label of more than 63 characters is refused before any look-up.
        let server = try await LoopbackServer.start()
        try await withTransport(server) { transport in
            let host = String(repeating: "a", count: 64) + ".invalid"
            let failure = await transport.failure(server.request(host: host))
            #expect(failure?.kind == .lookup)
            #expect(failure?.message.contains(host) == true)
        }
    }

    @Test func connectsByName() async throws {
        let server = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("ok") } }
        try await withTransport(server) { transport in
            try await transport.check(server.request(host: "localhost"), answers: "ok")
        }
    }

    @Test("a flood of informational responses ends the exchange")
    func refusesAFlood() async throws {
        let server = try await LoopbackServer.start(
            raw: [.awaitHead, .repeating(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))]
        )
        try await withTransport(server) { transport in
            #expect(await transport.failure(server.request())?.kind == .headerTooLarge)
        }
    }

    @Test func aResetIsNoEndOfABodyThatEndsWithTheConnection() async throws {
        let server = try await LoopbackServer.start(
            // Separately, so that the body is read before the reset is.
            raw: [.awaitHead, .send("HTTP/1.1 200 OK\r\n\r\nhalf"), .pause(.milliseconds(100)), .reset]
        )
        try await withTransport(server) { transport in
            #expect(await transport.failure(server.request())?.kind == .truncated)
        }
    }
}
