// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting

extension TransportConformance.Case {
    /// Cases of a transport's trust.
    var tlsBody: (@Sendable (ConformanceBench) async throws -> Void)? {
        switch self {
        case .selfSignedIsRefused: { try await $0.selfSignedIsRefused() }
        case .givenRootIsAccepted: { try await $0.givenRootIsAccepted() }
        case .wrongHostIsRefused: { try await $0.wrongHostIsRefused() }
        case .expiredIsRefused: { try await $0.expiredIsRefused() }
        default: nil
        }
    }
}

extension ConformanceBench {
    private static func secret(_ routes: inout Routes) { routes.get("/x") { _ in .text("safe") } }

    private func request(_ server: LoopbackServer, host: String) -> TransportRequest {
        request(port: server.port, scheme: .https, host: host)
    }

    /// Expects that only the handshake happens, no matter how often it is tried.
    private func expectRefusal(
        _ server: LoopbackServer,
        host: String,
        on transport: any Transport
    ) async throws {
        for _ in 1...2 {
            let failure = try await expectFailure([.tls]) {
                _ = try await exchange(request(server, host: host), on: transport)
            }
            try expectEqual(failure.fate, .unsent, "the failure's fate")
        }
        try expectEqual(server.counts.requestsBegun, 0, "the count of requests")
    }

    fileprivate func selfSignedIsRefused() async throws {
        try await withLoopbackServer(tls: .selfSigned(), routes: Self.secret) { server in
            try await expectRefusal(server, host: "localhost", on: transport)
            try await expectRefusal(server, host: "127.0.0.1", on: transport)
        }
    }

    fileprivate func givenRootIsAccepted() async throws {
        let authority = try TestCertificateAuthority()
        try await withLoopbackServer(tls: .issued(by: authority), routes: Self.secret) { server in
            try await withTransport(trusting: authority.rootPEM) { transport in
                for host in ["localhost", "127.0.0.1"] {
                    let response = try await exchange(request(server, host: host), on: transport)
                    try expectEqual(response.text, "safe", "the body from \(host)")
                }
            }
            // Another transport doesn't trust it.
            try await expectFailure([.tls]) { _ = try await exchange(request(server, host: "localhost")) }
        }
    }

    fileprivate func wrongHostIsRefused() async throws {
        let authority = try TestCertificateAuthority()
        let tls = try ServerTLS.issued(by: authority, hosts: ["elsewhere.invalid", "127.0.0.2", "*.localhost"])
        try await withLoopbackServer(tls: tls, routes: Self.secret) { server in
            try await withTransport(trusting: authority.rootPEM) { transport in
                try await expectRefusal(server, host: "localhost", on: transport)
                try await expectRefusal(server, host: "127.0.0.1", on: transport)
            }
        }
    }

    fileprivate func expiredIsRefused() async throws {
        let authority = try TestCertificateAuthority()
        for validity in [TestCertificateAuthority.Validity.expired, .notYetValid] {
            let tls = try ServerTLS.issued(by: authority, validity: validity)
            try await withLoopbackServer(tls: tls, routes: Self.secret) { server in
                try await withTransport(trusting: authority.rootPEM) { transport in
                    try await expectRefusal(server, host: "localhost", on: transport)
                }
            }
        }
    }
}
