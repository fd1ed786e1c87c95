// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTestServer
import Testing

/// The faults of the loopback server over HTTP/2.
@Suite(.timeLimit(.minutes(10))) struct HTTP2ServerFaultTests {
    /// The failure of a request that gets faults; `nil` if it succeeds.
    private static func failure(_ faults: ServerFault...) async throws -> TransportFailure? {
        var configuration = LoopbackServer.Configuration(faults: .sequence(faults))
        configuration.http2 = .always
        let server = try await LoopbackServer.start(configuration: configuration) { routes in
            routes.get("/x") { _ in .text("0123456789") }
        }
        let transport = NIOTransport()
        var request = TransportRequest(origin: try RequestURL(server.url).origin, target: "/x")
        request.httpVersion = .http2
        request.connection = .new
        defer { withExtendedLifetime(server) {} }
        do {
            let response = try await transport.send(request)
            while try await response.body.next() != nil {}
            await transport.shutdown(.immediate)
            return nil
        } catch let failure as TransportFailure {
            await transport.shutdown(.immediate)
            return failure
        }
    }

    @Test func bodyEndsEarly() async throws {
        #expect(try await Self.failure(.cut(at: 4))?.kind == .truncated)
        #expect(try await Self.failure(.reset(at: 4), .drip(bytes: 1, every: .zero))?.kind == .truncated)
    }

    @Test func goAwayReportsTheRequestAsUnprocessed() async throws {
        #expect(try await Self.failure(.goAway)?.fate == .unprocessed)
    }

    @Test func streamIsResetWithACode() async throws {
        let refused = try await Self.failure(.resetStream(errorCode: 7))
        #expect(refused?.fate == .unprocessed)
        let failed = try await Self.failure(.resetStream(errorCode: 2))
        #expect(failed?.fate == .unknown)
    }

    @Test func garbageIsAFailure() async throws {
        #expect(try await Self.failure(.garbage) != nil)
        #expect(try await Self.failure(.close) != nil)
    }

    @Test func earlyHintsAndDelaysAreNoFailures() async throws {
        #expect(try await Self.failure(.earlyHints(link: "</a>"), .delay(.milliseconds(1))) == nil)
    }

    @Test("a client repeats what the server refused") func clientRepeats() async throws {
        var configuration = LoopbackServer.Configuration(faults: .sequence([.goAway], [.resetStream(errorCode: 7)]))
        configuration.http2 = .always
        let server = try await LoopbackServer.start(configuration: configuration) { routes in
            routes.post("/x") { request in .text("number \(request.number)") }
        }
        let transport = NIOTransport()
        let site = Resource(server.url, transport: transport) { $0.httpVersion = .http2 }
        let response = try await site["x"].post(.text("body"))
        #expect(response.text == "number 3")
        await transport.shutdown(.immediate)
        await server.shutdown()
    }
}
