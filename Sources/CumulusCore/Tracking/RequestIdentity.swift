// SPDX-License-Identifier: Apache-2.0

/// A request's name in its tree, and what happens to an earlier one of that name that is still running.
public struct RequestIdentity: Sendable, Hashable, CustomStringConvertible {
    enum Rule: Sendable, Hashable { case none, replace, join }

    /// The name.
    public let name: String
    let rule: Rule

    /// A name to find the request by; other requests with that name are not affected.
    public static func named(_ name: String) -> RequestIdentity { RequestIdentity(name: name, rule: .none) }

    /// Cancels running requests with that name first, as for a search while the user types.
    public static func replacing(_ name: String) -> RequestIdentity { RequestIdentity(name: name, rule: .replace) }

    /// Waits for a running request that is the same, and uses its response: nothing more is sent.
    ///
    /// Requests are the same if they agree in name, method, whole URL, header fields, body, and the settings that the
    /// response depends on, above all those of the user's identity (authorizers, credentials, interceptors). POST and
    /// other unsafe methods join only if an `Idempotency-Key` permits it; files and streams never do. The exchange ends
    /// when all callers that wait for it are cancelled. Each caller validates and decodes the response itself.
    public static func joining(_ name: String) -> RequestIdentity { RequestIdentity(name: name, rule: .join) }

    /// The name, and its effect.
    public var description: String {
        switch rule {
        case .none: name
        case .replace: "\(name), replacing"
        case .join: "\(name), joining"
        }
    }
}

extension Settings {
    /// The name of requests, and whether one replaces or joins another with its name; for `with { }`.
    ///
    /// Default: none. The nearest layer wins.
    public var identity: RequestIdentity? {
        get { self[IdentityKey.self] }
        set { self[IdentityKey.self] = newValue }
    }
}

/// The key of ``Settings/identity``.
enum IdentityKey: HarmlessSettingKey {
    /// None.
    static var defaultValue: RequestIdentity? { nil }

    /// False: it names the requests that join.
    static var affectsAnswer: Bool { false }
}
