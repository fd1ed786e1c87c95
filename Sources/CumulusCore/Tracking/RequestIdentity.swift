// SPDX-License-Identifier: Apache-2.0

/// A request's name in its tree, and what happens to an earlier one with that name that is still running.
public struct RequestIdentity: Sendable, Hashable, CustomStringConvertible {
    enum Rule: Sendable, Hashable { case none, replace, join }

    /// The name.
    public let name: String
    let rule: Rule

    /// A name to find the request by; others with that name are not affected.
    public static func named(_ name: String) -> RequestIdentity { RequestIdentity(name: name, rule: .none) }

    /// Cancels running requests with that name first: for a search as you type.
    public static func replacing(_ name: String) -> RequestIdentity { RequestIdentity(name: name, rule: .replace) }

    /// Waits for a running request that is the same, and takes its response: nothing more is sent.
    ///
    /// The same means: name, method, whole URL, header fields, body, and the settings that the answer depends on, those
    /// of the user's identity above all (authorizers, credentials, interceptors). POST and other unsafe methods join
    /// only if an `Idempotency-Key` says that they may; files and streams never do. The exchange ends when all who wait
    /// for it are cancelled. Each caller validates and decodes for itself.
    public static func joining(_ name: String) -> RequestIdentity { RequestIdentity(name: name, rule: .join) }

    /// The name, and what it does.
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
enum IdentityKey: SettingKey {
    /// None.
    static var defaultValue: RequestIdentity? { nil }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }

    /// It names what joins.
    static var affectsAnswer: Bool { false }
}
