// SPDX-License-Identifier: Apache-2.0

extension ProxyPolicy {
    /// Whether the connection to an origin can't be intercepted: it uses TLS, or stays on this machine without a proxy.
    ///
    /// Through a proxy, plain HTTP leaves this machine unencrypted, and `localhost` is the proxy's own.
    public func isConfidential(to origin: Origin) -> Bool {
        if origin.scheme == .https || isNone || !origin.isLoopback { return origin.isConfidential }
        do throws(ProxyMalformation) {
            return try proxy(for: origin) == nil
        } catch {
            // No request is sent there at all.
            return false
        }
    }
}
