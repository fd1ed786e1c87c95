// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whom an authorizer or a client's certificate speaks for, in a form that can be compared without a proof.
public struct AuthorizerIdentity: Sendable, Hashable {
    let parts: [String]

    /// Makes an identity of a scheme and all that decides what a server shows: user and password, or a token.
    ///
    /// Who has a wrong password must not get what the right one gets, so secrets are a part of it.
    public init(_ scheme: String, _ values: Secret<String>...) { parts = [scheme] + values.map(\.revealed) }
}

extension AuthorizerIdentity: Redacted {
    /// The scheme.
    public var description: String { parts.first ?? "" }
}

/// Numbers for objects that have no other identity; unlike an address, none is given twice.
enum ObjectNumber {
    private static let latest = Atomic<UInt64>(0)

    static func next() -> UInt64 { latest.add(1, ordering: .relaxed).newValue }
}
