// SPDX-License-Identifier: Apache-2.0

/// A call's name, and its effect on another running call with that name.
public struct CallKey: Sendable, Hashable, CustomStringConvertible {
    enum Rule: Sendable, Hashable { case replace, join }

    /// The name.
    public let name: String
    let rule: Rule

    /// Creates a key with which a call first cancels running calls with the same name, such as for a search while the
    /// user types.
    ///
    /// The name is valid for one user and one ``Resource/Settings/scope``: calls replace each other only if the user
    /// and the scope are the same. The user is determined by the nearest copy from ``Resource/with(fileID:line:_:)``
    /// that sets authorizers, credentials, cookies, interceptors, a transport, or header fields that identify a user.
    /// Two screens of one user should therefore use two scopes, or two names.
    public static func replacing(_ name: String) -> CallKey { CallKey(name: name, rule: .replace) }

    /// Creates a key with which a call waits for an identical running call and uses its response, without sending
    /// anything.
    ///
    /// Calls are identical if they have the same name, method, whole URL, header fields, body, and settings on which
    /// the response depends. The most important of these settings concern the user's identity: authorizers with their
    /// current users, credentials, interceptors. POST and other unsafe methods join only with an `Idempotency-Key`;
    /// files and streams never do. The exchange ends when all callers that wait for it are cancelled. Each caller
    /// validates and decodes the response itself. Interceptors and authorizers run once, in the first caller's task.
    /// Don't join calls whose hooks read the user from a task-local value.
    public static func joining(_ name: String) -> CallKey { CallKey(name: name, rule: .join) }

    /// The name, and its effect.
    public var description: String {
        switch rule {
        case .replace: "\(name), replacing"
        case .join: "\(name), joining"
        }
    }
}

/// The name of a running call, and the user and the scope for which it is valid.
struct CallLabel: Sendable, Hashable {
    private let name: String
    private let user: ObjectIdentifier?
    private let scope: ObjectIdentifier?

    /// The running call retains both objects.
    init(_ name: String, user: ResourceCopy? = nil, scope: CallMembers? = nil) {
        self.name = name
        self.user = user.map(ObjectIdentifier.init)
        self.scope = scope.map(ObjectIdentifier.init)
    }
}
