// SPDX-License-Identifier: Apache-2.0

/// Requests that end with an object of yours: a screen, a job, a session.
///
/// They are cancelled when ``cancel()`` is called or the scope is released, whichever comes first. A request belongs to a
/// scope if it is made within ``run(_:)``, in child tasks too, or on a resource whose ``Settings/scope`` names it.
public final class RequestScope: Sendable {
    let members = RequestMembers(collects: false)

    /// Makes a scope without requests.
    public init() {}

    deinit { members.end() }

    /// How many of its requests are running.
    public var runningCount: Int { members.count }

    /// Cancels the scope's requests; those that are made in it later are cancelled as they begin.
    ///
    /// - Returns: How many were cancelled.
    @discardableResult
    public func cancel() -> Int { members.end() }

    /// Cancels the scope's requests.
    @available(*, deprecated, renamed: "cancel()")
    @discardableResult
    public func end() -> Int { cancel() }

    /// Runs work whose requests belong to the scope.
    ///
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    public func run<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        try await RequestMembers.$current.withValue(RequestMembers.current + [members], operation: work)
    }
}

extension Settings {
    /// The scope that requests belong to; it is not kept alive by this.
    ///
    /// Default: none. The nearest layer wins.
    public var scope: RequestScope.Membership? {
        get { self[ScopeKey.self] }
        set { self[ScopeKey.self] = newValue }
    }
}

/// The key of ``Settings/scope``.
enum ScopeKey: SettingKey {
    /// None.
    static var defaultValue: RequestScope.Membership? { nil }

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }

    /// It ends the caller's own part.
    static var affectsAnswer: Bool { false }
}

extension RequestScope {
    /// A scope's requests, without the scope, which stays its owner's: what ``Settings/scope`` takes.
    public struct Membership: Sendable, CustomStringConvertible {
        let members: RequestMembers

        /// How many requests run in it.
        public var description: String { "a scope with \(members.count) running" }
    }

    /// What ``Settings/scope`` takes.
    public var membership: Membership { Membership(members: members) }
}
