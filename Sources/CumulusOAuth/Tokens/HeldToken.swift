// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// A token in the form that requests need.
final class HeldToken: Sendable {
    /// The `Authorization` field.
    let field: HTTPField
    /// When it should be renewed; `nil` if only a refusal renews it.
    let renewal: ContinuousClock.Instant?
    /// When it expires.
    let end: ContinuousClock.Instant?
    let clock: any RequestClock
    /// The full token, if an ``OAuth2Authorizer`` obtained it.
    let token: OAuth2Token?
    /// Whether it was issued just now, and not found in a store.
    let isNew: Bool
    /// The user that it was issued for; `nil` for the user of the token before.
    let identity: AuthorizerIdentity?

    /// Creates a token with a lifetime from now on, `nil` for until it is refused, and how long before its end it is
    /// renewed.
    init(
        _ access: Secret<String>,
        lifetime: Duration?,
        lead: Duration,
        clock: any RequestClock,
        token: OAuth2Token? = nil,
        isNew: Bool = true,
        identity: AuthorizerIdentity? = .unique()
    ) {
        field = HTTPField(name: .authorization, value: "Bearer \(access.revealed)")
        self.clock = clock
        self.token = token
        self.isNew = isNew
        self.identity = identity
        let now = clock.now
        end = lifetime.map { now + $0 }
        renewal = lifetime.map { now + max(.zero, $0 - lead) }
    }

    /// The value of `Authorization`.
    var header: String { field.value }

    /// Whether it can be used without a renewal.
    var isFresh: Bool { renewal.map { clock.now < $0 } ?? true }

    /// Whether the server should still accept it.
    var isGood: Bool { end.map { clock.now < $0 } ?? true }
}

extension HeldToken: CustomReflectable {
    /// Shows nothing.
    var customMirror: Mirror { Mirror(self, children: []) }
}
