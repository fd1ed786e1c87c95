// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Testing

/// A list that never fails would prove nothing: these transports violate the contract.
@Suite(.timeLimit(.minutes(10))) struct TransportConformanceTests {
    /// Responds to everything immediately, without the server.
    private static func lying() -> TransportConformance {
        TransportConformance(limit: .seconds(20)) { _ in StubTransport { _ in .text("lie") } }
    }

    @Test func hasAtLeastThirtyCases() {
        #expect(TransportConformance.Case.allCases.count >= 60)
    }

    @Test(arguments: [
        TransportConformance.Case.everyVerbArrives, .fieldsMakeTheRoundTrip, .largeResponseBodyArrivesWhole,
        .redirectsAreNotFollowed, .connectionsAreReused, .refusedConnection, .unknownHost, .closedBeforeTheHead,
        .truncatedLength, .garbageInsteadOfHTTP, .selfSignedIsRefused, .responseTimeout, .nothingIsCached,
        .lineBreakInTheTargetIsRefused, .factsAreThere, .trailersAreDelivered, .givenRootIsAccepted,
        .requestTrailersArrive, .namedProxyIsUsedOrRefused, .deadProxyIsNotPassedBy, .refusedTunnelIsAFailure,
    ])
    func failsATransportThatLies(_ testCase: TransportConformance.Case) async {
        let verdict = await Self.lying().run(testCase)
        #expect(!verdict.isAcceptable, "\(verdict)")
    }

    @Test func aHangIsAFailure() async {
        let list = TransportConformance(limit: .milliseconds(50)) { _ in
            StubTransport { _ in
                try await Gate().wait()
                return .text("never")
            }
        }
        guard case .failed(let reason) = await list.run(.everyVerbArrives) else {
            Issue.record("a hang was accepted")
            return
        }
        #expect(reason.contains("not done within"))
    }

    @Test func skipsByExclusionAndByCapabilityWithTheReason() async {
        var capabilities = TransportCapabilities()
        capabilities.limitsUnreadBytes = false
        let list = TransportConformance(exclusions: [.unknownHost: "no resolver here"]) { [capabilities] _ in
            StubTransport(capabilities: capabilities) { _ in .text("lie") }
        }
        #expect(await list.run(.unknownHost) == .skipped("excluded: no resolver here"))
        #expect(
            await list.run(.unreadBodyHoldsTheServerBack) == .skipped("the transport declares not limitsUnreadBytes")
        )
    }

    @Test func aTransportThatCannotBeMadeFails() async {
        struct Broken: Error {}
        let list = TransportConformance { _ in throw Broken() }
        #expect(await !list.run(.everyVerbArrives).isAcceptable)
    }
}
