// SPDX-License-Identifier: Apache-2.0

/// A call's name in its tree, and what it does about another one of that name that is still running.
public struct CallKey: Sendable, Hashable, CustomStringConvertible {
    enum Rule: Sendable, Hashable { case replace, join }

    /// The name.
    public let name: String
    let rule: Rule

    /// Cancels running calls with that name first, as for a search while the user types.
    ///
    /// The name is the whole tree's: where one tree serves many users, their calls need a name each.
    public static func replacing(_ name: String) -> CallKey { CallKey(name: name, rule: .replace) }

    /// Waits for a running call that is the same, and uses its response: nothing more is sent.
    ///
    /// Calls are the same if they agree in name, method, whole URL, header fields, body, and the settings that the
    /// response depends on, above all those of the user's identity (authorizers with their present users, credentials,
    /// interceptors). POST and
    /// other unsafe methods join only if an `Idempotency-Key` permits it; files and streams never do. The exchange ends
    /// when all callers that wait for it are cancelled. Each caller validates and decodes the response itself.
    /// Interceptors and authorizers run once, in the first caller's task: don't join calls whose hooks take the user
    /// from a task-local value.
    public static func joining(_ name: String) -> CallKey { CallKey(name: name, rule: .join) }

    /// The name, and its effect.
    public var description: String {
        switch rule {
        case .replace: "\(name), replacing"
        case .join: "\(name), joining"
        }
    }
}
