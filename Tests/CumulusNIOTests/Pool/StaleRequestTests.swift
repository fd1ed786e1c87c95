// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOCore
import NIOPosix
import Testing

@testable import CumulusNIO

/// Requests whose reused connection broke before a response, and which are tried on another.
struct StaleRequestTests {
    private func exchange() throws -> NIOExchange {
        let request = TransportRequest(method: .put, origin: Origin(scheme: .http, host: "a.example"))
        let configuration = NIOTransport.Configuration()
        let engine = LoopEngine(
            eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
            configuration: configuration,
            tls: TLSContextCache(configuration.tls)
        )
        return NIOExchange(request, outgoing: try OutgoingRequest(request), engine: engine)
    }

    @Test("a request that a reused connection may have delivered is not reported as unsent")
    func noOther() throws {
        let cause = TransportFailure(.connect, "refused", limit: .seconds(1), elapsed: .seconds(2))
        let sent = try exchange()
        sent.sent = .something
        sent.startAgain()
        // A second one that delivers nothing changes nothing.
        sent.startAgain()
        #expect(sent.sent == .nothing)
        let failure = try #require(sent.complete(cause) as? TransportFailure)
        #expect(failure.sent == .something && failure.kind == .connect && failure.message == "refused")
        #expect(failure.limit == .seconds(1) && failure.elapsed == .seconds(2))
        #expect(sent.complete(CancellationError()) is CancellationError)
        let unsent = try exchange()
        unsent.startAgain()
        #expect((unsent.complete(cause) as? TransportFailure)?.sent == .nothing)
    }
}
