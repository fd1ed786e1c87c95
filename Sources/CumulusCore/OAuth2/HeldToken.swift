// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// A token as requests need it.
final class HeldToken: Sendable {
    /// `Authorization`.
    let field: HTTPField
    /// When it should be renewed; `nil` for never, or not before it is refused.
    let renewal: Moment?
    /// When it ends.
    let end: Moment?
    let clock: any RequestClock
    /// What an ``OAuth2Authorizer`` knows of it besides.
    let token: OAuth2Token?

    /// A token that is good for a lifetime from now on, `nil` for as long as nobody refuses it; renewed so long before.
    init(
        _ access: Secret<String>,
        lifetime: Duration?,
        lead: Duration,
        clock: any RequestClock,
        token: OAuth2Token? = nil
    ) {
        field = HTTPField(name: .authorization, value: "Bearer \(access.revealed)")
        self.clock = clock
        self.token = token
        let now = clock.moment
        end = lifetime.map { now + $0 }
        renewal = lifetime.map { now + max(.zero, $0 - lead) }
    }

    /// The value of `Authorization`.
    var header: String { field.value }

    /// Whether it can be used without a thought.
    var isFresh: Bool { renewal.map { clock.moment < $0 } ?? true }

    /// Whether the server should still take it.
    var isGood: Bool { end.map { clock.moment < $0 } ?? true }
}

extension HeldToken: CustomReflectable {
    /// Shows nothing.
    var customMirror: Mirror { Mirror(self, children: []) }
}
