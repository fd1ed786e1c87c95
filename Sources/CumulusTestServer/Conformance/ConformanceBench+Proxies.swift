// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes

extension TransportConformance.Case {
    /// Cases of proxies: a transport uses the request's proxy, or refuses the request.
    var proxyBody: (@Sendable (ConformanceBench) async throws -> Void)? {
        switch self {
        case .namedProxyIsUsedOrRefused: { try await $0.namedProxyIsUsedOrRefused() }
        case .deadProxyIsNotPassedBy: { try await $0.deadProxyIsNotPassedBy() }
        case .refusedTunnelIsAFailure: { try await $0.refusedTunnelIsAFailure() }
        default: nil
        }
    }
}

extension ConformanceBench {
    private static let user = Credentials(user: "ada", password: "lovelace")

    private func request(_ server: LoopbackServer, by proxy: Proxy) -> TransportRequest {
        var request = request(server)
        request.proxy = proxy
        return request
    }

    fileprivate func namedProxyIsUsedOrRefused() async throws {
        var configuration = LoopbackProxy.Configuration()
        configuration.credentials = Self.user
        let proxy = try await LoopbackProxy.start(configuration)
        defer { proxy.shutdown() }
        // HTTP/2 without TLS can't pass through a proxy that reads requests.
        for scheme in list.httpVersion == .http2 ? [Proxy.Scheme.socks5] : [.http, .socks5] {
            try await withLoopbackServer(routes: { $0.get("/x") { _ in .text("there") } }) { server in
                let before = proxy.record.connections
                let asked = request(server, by: try proxy.proxy(scheme, credentials: Self.user))
                do {
                    let response = try await exchange(asked)
                    try expectEqual(response.text, "there", "the response through a proxy (\(scheme))")
                    try expect(proxy.record.connections > before, "the request bypassed its proxy (\(scheme))")
                    let told = server.requests.contains { $0.headers[.proxyAuthorization] != nil }
                    try expect(!told, "the server received the proxy's credentials")
                } catch let failure as TransportFailure where failure.kind == .unsupported {
                    try expectEqual(server.counts.connectionsAccepted, 0, "the count of connections past the proxy")
                    let mayLack = !transport.capabilities.usesProxies || scheme.isSOCKS
                    try expect(mayLack, "a proxy was refused by a transport that declares usesProxies")
                }
            }
        }
    }

    fileprivate func deadProxyIsNotPassedBy() async throws {
        let gone = try await LoopbackProxy.start()
        let proxy = try gone.proxy(list.httpVersion == .http2 ? .socks5 : .http)
        gone.shutdown()
        await gone.portIsClosed()
        try await withLoopbackServer(routes: { $0.get("/x") { _ in .text("there") } }) { server in
            let failure = try await expectFailure([.connect, .proxy, .unsupported]) {
                _ = try await exchange(request(server, by: proxy))
            }
            try expectEqual(failure.fate, .unsent, "the failure's fate")
            try expectEqual(server.counts.connectionsAccepted, 0, "the count of connections past the proxy")
        }
    }

    fileprivate func refusedTunnelIsAFailure() async throws {
        var configuration = LoopbackProxy.Configuration()
        configuration.credentials = Self.user
        let proxy = try await LoopbackProxy.start(configuration)
        defer { proxy.shutdown() }
        try await withLoopbackServer(tls: .selfSigned(), routes: { $0.get("/x") { _ in .text("there") } }) { server in
            let failure = try await expectFailure([.proxy, .unsupported]) {
                _ = try await exchange(request(server, by: try proxy.proxy()))
            }
            try expectEqual(failure.fate, .unsent, "the failure's fate")
            try expectEqual(server.counts.connectionsAccepted, 0, "the count of connections past the proxy")
        }
    }
}
