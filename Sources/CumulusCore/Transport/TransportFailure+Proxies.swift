// SPDX-License-Identifier: Apache-2.0

extension TransportFailure {
    /// The failure of a transport that doesn't support proxies.
    package static func noProxies(_ proxy: Proxy, _ transport: any Transport.Type) -> TransportFailure {
        TransportFailure(.unsupported, "\(transport) can't use a different proxy for each request, such as \(proxy)")
    }
}
