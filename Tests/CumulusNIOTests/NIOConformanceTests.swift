// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTestServer
import Testing

/// The shared requirements of every transport, with the NIO transport.
@Suite(.timeLimit(.minutes(10))) struct NIOConformanceTests {
    private static let list = TransportConformance(
        limit: .seconds(500),
        stopTransport: { await ($0 as? NIOTransport)?.shutdown(.immediate) },
        makeTransport: { root in
            var configuration = NIOTransport.Configuration()
            if let root { configuration.tls.trustRoots = .pem(root) }
            return NIOTransport(configuration: configuration)
        }
    )

    // snippet.conformance
    @Test(arguments: TransportConformance.Case.allCases)
    func conforms(to testCase: TransportConformance.Case) async {
        let verdict = await Self.list.run(testCase)
        #expect(verdict.isAcceptable, "\(verdict)")
    }
    // snippet.end
}
