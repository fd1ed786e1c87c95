// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Why a text is not a valid proxy or list of exceptions.
///
/// A request that depends on such a text fails with ``CumulusError/Code/invalidURL``. The reason never contains the
/// proxy's user or password.
public struct ProxyMalformation: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, in words.
    public let reason: String
    /// The environment variable with the text; `nil` if it is from elsewhere.
    public let variable: String?

    init(_ reason: String, in variable: String? = nil) {
        self.reason = PeerText.printable(reason, limit: PeerText.longestMessage)
        self.variable = variable
    }

    func found(in variable: String) -> ProxyMalformation { ProxyMalformation(reason, in: variable) }

    /// The problem, and the variable.
    public var description: String { variable.map { "the variable \($0): \(reason)" } ?? reason }
}
