// SPDX-License-Identifier: Apache-2.0

/// Requests that end with one of your objects: a screen, a job, a session.
///
/// They are cancelled when ``cancel()`` is called or the scope is released, whichever comes first. A request belongs to
/// a scope if it is made within ``run(_:)``, including child tasks, or on a resource with the scope in
/// ``Resource/Settings/scope``.
public final class RequestScope: Sendable {
    let members = CallMembers(collects: false)

    /// Makes a scope without requests.
    public init() {}

    deinit { members.end() }

    /// How many of the scope's requests are running.
    public var runningCount: Int { members.count }

    /// Cancels the scope's requests; requests that are made in it later are cancelled as they begin.
    ///
    /// - Returns: How many were cancelled.
    @discardableResult
    public func cancel() -> Int { members.end() }

    /// Runs work whose requests belong to the scope.
    ///
    /// - Returns: The work's result.
    /// - Throws: The work's error.
    public func run<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        try await CallMembers.$current.withValue(CallMembers.current + [members], operation: work)
    }

    /// Runs work whose requests belong to none of the scopes and groups that it is started in.
    ///
    /// For work that several callers wait for, such as the renewal of a token: otherwise its requests would end with the
    /// scope, or count in the ``RequestGroup``, of the one who started it. Start it in a task of its own, which
    /// outlasts that caller: `Task { try await RequestScope.outside { ... } }`. A scope in
    /// ``Resource/Settings/scope`` still counts.
    ///
    /// - Returns: The work's result.
    /// - Throws: The work's error.
    public static func outside<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        try await CallMembers.$current.withValue([], operation: work)
    }
}

extension Resource.Settings {
    /// The scope that requests belong to; the setting doesn't keep it alive.
    ///
    /// Default: none. The nearest layer wins.
    public var scope: RequestScope.Membership? {
        get { self[key: ScopeKey.self] }
        set { self[key: ScopeKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/scope``.
enum ScopeKey: HarmlessSettingKey, UncomparedSettingKey {
    /// None.
    static var defaultValue: RequestScope.Membership? { nil }
}

extension RequestScope {
    /// A scope's requests without the scope itself, which its owner keeps: the value of ``Resource/Settings/scope``.
    public struct Membership: Sendable, CustomStringConvertible {
        let members: CallMembers

        /// How many requests run in the scope.
        public var description: String { "a scope with \(members.count) running" }
    }

    /// The value for ``Resource/Settings/scope``.
    public var membership: Membership { Membership(members: members) }
}
