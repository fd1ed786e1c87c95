// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Stage 1b, draft -> registration: enters the request into its tree's list, to be seen and cancelled from outside.
struct Tracking: Sendable {
    let context: TreeContext
    /// Whether the request needs a task of its own to be cancelled by: where it may wait for others than the transport.
    let needsTask: Bool
    /// Whether hooks may wait, preflights left aside: they run before a request is on the list.
    let hasHooks: Bool
    /// The number of the next request, where a handle told it before.
    let reservation: IDReservation?
    private let identity: RequestIdentity?
    private let members: RequestMembers?
    /// What tells calls apart that may share an answer; `nil` if none may.
    private let joining: ExchangeSettings?

    /// Whether it may take another request's answer.
    var joins: Bool { joining != nil }

    init(_ context: TreeContext, settings: SettingValues) {
        self.context = context
        identity = settings.value(IdentityKey.self)
        reservation = settings.value(IDReservationKey.self)
        members = settings.value(ScopeKey.self)?.members
        joining = identity?.rule == .join ? ExchangeSettings(settings) : nil
        hasHooks = settings.mayWait
        needsTask =
            hasHooks || !context.transport.capabilities.attachesExchanges || identity?.rule == .join
            || FixtureBook(settings) != nil || settings.value(RateLimitKey.self) != nil
            || settings.value(HedgingKey.self) != nil
    }

    /// Enters a request; one that replaces others cancels them.
    ///
    /// - Throws: ``CumulusError`` if the tree was closed.
    func begin(_ draft: RequestDraft, _ start: CallStart, sends: Bool) throws -> RequestRegistration {
        let entry = RequestLedger.Entry(id: draft.id, subject: draft, startedAt: start.started, label: identity?.name)
        let ticket = try context.ledger.enter(entry, replacing: sends && identity?.rule == .replace)
        var members = sends ? RequestMembers.current : []
        if sends, let own = self.members { members.append(own) }
        if !members.isEmpty { for one in members { one.join(ticket) } }
        return RequestRegistration(ticket: ticket, members: members, observation: start.observation)
    }

    /// Runs work in a child task, which keeps the caller's priority, values and executor; cancelling it, and the
    /// deadline, reach all that the work waits for.
    func inOwnTask<Output: Sendable>(
        _ call: Call,
        of draft: RequestDraft,
        on clock: any RequestClock,
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        guard let ticket = call.ticket else { return try await work() }
        let ledger = context.ledger
        return try await call.start.limited(on: clock, of: draft) {
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
    }

    /// What a running request must be like for this one to take its response; `nil` if this one takes no other's.
    func joinKey(_ request: EncodedRequest) -> JoinKey? {
        guard let joining, let identity else { return nil }
        return JoinKey(request, named: identity.name, settings: joining)
    }
}
