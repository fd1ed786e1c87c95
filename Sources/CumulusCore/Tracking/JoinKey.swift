// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The properties that two calls must have in common to share a response: the whole request, and all settings on which
/// it depends.
struct JoinKey: Sendable, Hashable {
    private let name: String
    private let method: String
    private let origin: Origin
    private let target: String
    private let headers: HTTPFields
    private let body: [UInt8]
    private let settings: ExchangeSettings
    /// The users of the authorizers that serve the request, since a login doesn't change a setting.
    private var users: [AuthorizerIdentity]

    /// `nil` if no other call may share the response: for an unsafe method without an `Idempotency-Key`, a body that is
    /// not in memory, or an unknown user.
    init?(_ request: EncodedRequest, named name: String, settings: ExchangeSettings, users: [AuthorizerIdentity?]) {
        let known = users.compactMap(\.self)
        guard JoinKey.isShareable(request), known.count == users.count else { return nil }
        switch request.body {
        case .none: body = []
        case .bytes(let bytes): body = bytes.bytes
        case .file, .stream: return nil
        }
        self.name = name
        method = request.method.rawValue
        origin = request.origin
        target = request.target
        headers = request.headers
        self.settings = settings
        self.users = known
    }

    /// Whether it is the key of the same request for the same users as an earlier key.
    ///
    /// A user whose first login came after the earlier key is the same.
    func continues(_ earlier: JoinKey) -> Bool {
        guard users.count == earlier.users.count,
            zip(users, earlier.users).allSatisfy({ $0 == $1 || $0.follows($1) })
        else { return false }
        var present = earlier
        present.users = users
        return self == present
    }

    /// Whether one request may safely replace several (RFC 9110 section 9.2.1).
    private static func isShareable(_ request: EncodedRequest) -> Bool {
        switch request.method {
        case .get, .head, .options: true
        default: request.idempotencyKey != nil
        }
    }
}
