// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Stage 1b, draft -> pass: enters the request into its tree's list, so that it can be seen and cancelled from outside.
struct Tracking: Sendable {
    let context: TreeContext
    /// Whether the request needs a task of its own to be cancelled by: where it may wait for others than the transport.
    let needsTask: Bool
    /// Whether code runs that the library doesn't know, preflights left aside.
    let hasHooks: Bool
    private let identity: RequestIdentity?
    private let members: RequestMembers?

    init(_ context: TreeContext, settings: SettingsSnapshot.Values) {
        self.context = context
        identity = settings.value(IdentityKey.self)
        members = settings.value(ScopeKey.self)?.members
        hasHooks =
            !settings.value(InterceptorsKey.self).isEmpty || !settings.value(ValidatorsKey.self).isEmpty
            || !settings.value(PostProcessorsKey.self).isEmpty
            || settings.value(AuthorizersKey.self).contains { !($0.authorizer is any ImmediateAuthorizer) }
        needsTask =
            hasHooks || !context.transport.capabilities.attachesExchanges || identity?.rule == .join
            || FixtureBook(settings) != nil || settings.value(RateLimitKey.self) != nil
    }

    /// Enters a request; one that replaces others cancels them.
    ///
    /// - Throws: ``CumulusError`` if the tree was closed.
    func begin(_ draft: RequestDraft, _ started: Moment) throws -> RequestPass {
        if let identity, identity.rule == .replace {
            for (_, ticket) in context.ledger.entries(where: { $0.label == identity.name }) {
                context.ledger.cancel(ticket)
            }
        }
        let entry = RequestLedger.Entry(id: draft.id, draft: draft, startedAt: started, label: identity?.name)
        let ticket = try context.ledger.enter(entry)
        var members = RequestMembers.current
        if let own = self.members { members.append(own) }
        for one in members { one.join(ticket) }
        return RequestPass(ticket: ticket, members: members)
    }

    /// Runs work in a child task, which keeps the caller's priority, values and executor; cancelling it reaches all that
    /// the work waits for.
    func inOwnTask<Output: Sendable>(
        _ pass: RequestPass,
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        let (ledger, ticket) = (context.ledger, pass.ticket)
        return try await withThrowingTaskGroup(of: Output.self) { group in
            group.addTask {
                let isAttached = withUnsafeCurrentTask { task in
                    task.map { ledger.attach(.task(.init($0)), to: ticket) } ?? false
                }
                guard isAttached else { throw CancellationError() }
                do {
                    let output = try await work()
                    await ledger.detachTask(of: ticket)
                    return output
                } catch {
                    await ledger.detachTask(of: ticket)
                    throw error
                }
            }
            guard let output = try await group.next() else { throw CancellationError() }
            return output
        }
    }

    /// An exchange that others may join, or that joins another.
    func share(
        _ draft: RequestDraft,
        _ exchange: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        let name = identity?.name ?? ""
        return try await context.joins.response(
            for: "\(name) \(draft.method.rawValue) \(draft.origin)\(draft.path)",
            exchange
        )
    }

    /// Whether the request may take another's response.
    var joins: Bool { identity?.rule == .join }
}
