// SPDX-License-Identifier: Apache-2.0

/// Why a text names no proxy, or no hosts that need none.
///
/// A request that depends on such a text fails with ``CumulusError/Code/invalidURL``. Its text never has the proxy's
/// user or password.
public struct ProxyMalformation: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public let reason: String
    /// The environment's variable that has the text; `nil` if it comes from elsewhere.
    public let variable: String?

    init(_ reason: String, in variable: String? = nil) {
        self.reason = PeerText.printable(reason, limit: PeerText.longestMessage)
        self.variable = variable
    }

    func found(in variable: String) -> ProxyMalformation { ProxyMalformation(reason, in: variable) }

    /// What is wrong, and in which variable.
    public var description: String { variable.map { "the variable \($0): \(reason)" } ?? reason }
}
