// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTesting
import Testing

/// The shared list of what every transport must do, on the NIO transport by HTTP/2.
@Suite(.timeLimit(.minutes(2))) struct HTTP2ConformanceTests {
    private static let list = TransportConformance(
        exclusions: [:],
        limit: .seconds(30),
        httpVersion: .http2,
        stopTransport: { await ($0 as? NIOTransport)?.shutdown(.immediate) },
        makeTransport: { root in
            var configuration = NIOTransport.Configuration()
            if let root { configuration.tls.trustRoots = .pem(Array(root.utf8)) }
            return NIOTransport(configuration: configuration)
        }
    )

    @Test(arguments: TransportConformance.Case.allCases)
    func conforms(to testCase: TransportConformance.Case) async {
        let verdict = await Self.list.run(testCase)
        #expect(verdict.isAcceptable, "\(verdict)")
    }
}
