// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusURLSession
import Testing

@Suite(.timeLimit(.minutes(10))) struct URLSessionConformanceTests {
    private static let exclusions: [TransportConformance.Case: String] = {
        var exclusions: [TransportConformance.Case: String] = [
            .connectTimeout: "URLSession does not tell connecting from waiting for the response",
            .handshakeTimeout: "URLSession does not tell the handshake from waiting for the response",
            .trailersAreDelivered: "URLSession delivers no trailers",
            .earlyResponseWhileUploading: "URLSession sends the whole body first",
            .conflictingLengthsAreRefused: "URLSession is lenient",
            .targetIsSentVerbatim: "URLSession escapes targets in its own way",
            .nothingIsAddedToTheFields: "URLSession adds fields of its own",
        ]
        #if canImport(Darwin)
        exclusions[.newConnectionIsNoKeptOne] = "URLSession chooses its connections"
        exclusions[.ownHostIsSent] = "URLSession sends its own"
        #else
        for testCase in [TransportConformance.Case.givenRootIsAccepted, .wrongHostIsRefused, .expiredIsRefused] {
            exclusions[testCase] = "FoundationNetworking trusts the system's authorities only"
        }
        exclusions[.factsAreThere] = "FoundationNetworking measures nothing"
        exclusions[.connectionsAreReusedAfterUploads] = "a body takes a connection of its own; libcurl would repeat it"
        exclusions[.closedInTheHead] = "FoundationNetworking traps on a head that is cut off"
        #endif
        return exclusions
    }()

    private static let list = TransportConformance(
        exclusions: exclusions,
        limit: .seconds(500),
        stopTransport: { ($0 as? URLSessionTransport)?.shutdown() },
        makeTransport: { rootPEM in
            var tls = URLSessionTransport.TLS()
            if let rootPEM { tls.trustRoots = .pem(rootPEM) }
            return URLSessionTransport(tls: tls)
        }
    )

    @Test(arguments: TransportConformance.Case.allCases)
    func conforms(to testCase: TransportConformance.Case) async {
        let verdict = await Self.list.run(testCase)
        #expect(verdict.isAcceptable, "\(verdict)")
    }
}
