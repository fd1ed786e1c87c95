// SPDX-License-Identifier: Apache-2.0

/// A scope for requests that end with one of your objects: a screen, a job, a session.
///
/// Its requests are cancelled when ``cancel()`` is called or the scope is released, whichever comes first. A request
/// belongs to a scope if it is made within ``run(_:)``, including child tasks, or on a resource with the scope in
/// ``Resource/Settings/scope``.
public final class RequestScope: Sendable {
    let members = CallMembers(collects: false)

    /// Creates a scope without requests.
    public init() {}

    deinit { members.end() }

    /// The number of the scope's running requests.
    public var runningCount: Int { members.count }

    /// Cancels the scope's requests.
    ///
    /// Requests that are made in it later are cancelled as they begin.
    ///
    /// - Returns: The number of cancelled requests.
    @discardableResult
    public func cancel() -> Int { members.end() }

    /// Runs work whose requests belong to the scope.
    ///
    /// - Returns: The work's result.
    /// - Throws: The work's error.
    public func run<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        try await CallMembers.$current.withValue(CallMembers.current + [members], operation: work)
    }

    /// Runs work whose requests don't belong to the scopes and groups in which it is started.
    ///
    /// Use it for work that several callers wait for, such as the renewal of a token. Otherwise its requests would end
    /// with the scope, or count in the ``RequestGroup``, of the caller that started it. Start it in its own task, which
    /// outlasts that caller: `Task { try await RequestScope.outside { ... } }`. A scope in ``Resource/Settings/scope``
    /// still applies.
    ///
    /// - Returns: The work's result.
    /// - Throws: The work's error.
    public static func outside<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        try await CallMembers.$current.withValue([], operation: work)
    }
}

extension Resource.Settings {
    /// The scope to which requests belong; the setting doesn't retain it.
    ///
    /// Default: none. The nearest layer wins.
    public var scope: RequestScope.Membership? {
        get { self[key: ScopeKey.self] }
        set { self[key: ScopeKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/scope``.
enum ScopeKey: HarmlessSettingKey, UncomparedSettingKey {
    /// No scope.
    static var defaultValue: RequestScope.Membership? { nil }
}

extension RequestScope {
    /// A scope's requests, without the scope itself, which its owner retains.
    ///
    /// It is the value of ``Resource/Settings/scope``.
    public struct Membership: Sendable, CustomStringConvertible {
        let members: CallMembers

        /// A description with the number of requests that run in the scope.
        public var description: String { "a scope with \(members.count) running calls" }
    }

    /// The value for ``Resource/Settings/scope``; it doesn't retain the scope, so store the scope as well.
    public var membership: Membership { Membership(members: members) }
}
