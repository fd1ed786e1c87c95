// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTestServer
import Testing

/// The shared requirements of every transport, with the NIO transport over HTTP/2.
@Suite(.timeLimit(.minutes(10))) struct HTTP2ConformanceTests {
    private static let rawHTTP1 = "its server answers with the bytes of HTTP/1.1"
    private static let list = TransportConformance(
        exclusions: [
            .nothingIsAddedToTheFields: "HTTP/2 has lower-case names only",
            .notModifiedHasNoBody: rawHTTP1,
            .chunkedBody: rawHTTP1,
            .bodyUntilTheEndOfTheConnection: rawHTTP1,
            .closedInTheHead: rawHTTP1,
            .truncatedLength: rawHTTP1,
            .truncatedChunks: rawHTTP1,
            .conflictingLengthsAreRefused: rawHTTP1,
            .endlessHeaderIsRefused: rawHTTP1,
            .garbageInsteadOfHTTP: rawHTTP1,
            .idleTimeoutInTheBody: rawHTTP1,
            .responseTimeoutUnderInformationalResponses: rawHTTP1,
            .headThatDripsIsTimedOut: rawHTTP1,
            .closedKeptConnectionIsReported: rawHTTP1,
            .newConnectionIsNoKeptOne: "a connection that requests share is not kept for one",
            .closedConnectionsAreNotReused: "HTTP/2 has no `Connection: close`",
        ],
        limit: .seconds(500),
        httpVersion: .http2,
        stopTransport: { await ($0 as? NIOTransport)?.shutdown(.immediate) },
        makeTransport: { root in
            var configuration = NIOTransport.Configuration()
            if let root { configuration.tls.trustRoots = .pem(root) }
            return NIOTransport(configuration: configuration)
        }
    )

    @Test(arguments: TransportConformance.Case.allCases)
    func conforms(to testCase: TransportConformance.Case) async {
        let verdict = await Self.list.run(testCase)
        #expect(verdict.isAcceptable, "\(verdict)")
    }
}
