// SPDX-License-Identifier: Apache-2.0

extension ProxyPolicy {
    /// Whether nobody can listen on the way to an origin: by TLS, or on this machine if no proxy is asked.
    ///
    /// By a proxy, plain HTTP leaves this machine in the clear, and `localhost` is the proxy's own.
    func isConfidential(to origin: Origin) -> Bool {
        if origin.scheme == .https || isNone || !origin.isLoopback { return origin.isConfidential }
        do throws(ProxyMalformation) {
            return try proxy(for: origin) == nil
        } catch {
            // No request goes there at all.
            return false
        }
    }
}
