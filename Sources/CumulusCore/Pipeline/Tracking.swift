// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Stage 1b, draft -> registration: adds the request to its tree's list, where it can be seen and cancelled.
struct Tracking: Sendable {
    let context: TreeContext
    /// Whether the request needs its own task for cancellation, because it may wait for more than the transport.
    let needsTask: Bool
    /// Whether hooks may wait, apart from preflights, which run before a request is in the list.
    let hasHooks: Bool
    /// The number of the next request, if a handle reported it before.
    let reservation: IDReservation?
    private let identity: RequestIdentity?
    private let members: RequestMembers?
    /// The settings that distinguish calls that may share a response; `nil` if none may.
    private let joining: ExchangeSettings?

    /// Whether it may use another request's response.
    var joins: Bool { joining != nil }

    init(_ context: TreeContext, settings: SettingValues) {
        self.context = context
        identity = settings.value(IdentityKey.self)
        reservation = settings.value(IDReservationKey.self)
        members = settings.value(ScopeKey.self)?.members
        joining = identity?.rule == .join ? ExchangeSettings(settings) : nil
        hasHooks = settings.mayWait
        // Fixtures and rates wait, too, but hold no code, and keys declare only code that waits (`mayWait`):
        // calls with it also count their nesting, and must not block the main thread.
        needsTask =
            hasHooks || !context.transport.capabilities.attachesExchanges || identity?.rule == .join
            || FixtureBook(settings) != nil || settings.value(RateLimitKey.self) != nil
    }

    /// Adds a request; one that replaces others cancels them.
    ///
    /// - Throws: ``CumulusError`` if the tree was shut down.
    func begin(_ draft: RequestDraft, _ start: CallStart, sends: Bool) throws -> RequestRegistration {
        let entry = RequestLedger.Entry(id: draft.id, subject: draft, startedAt: start.started, label: identity?.name)
        let ticket = try context.ledger.enter(entry, replacing: sends && identity?.rule == .replace)
        var members = sends ? RequestMembers.current : []
        if sends, let own = self.members { members.append(own) }
        if !members.isEmpty { for one in members { one.join(ticket) } }
        return RequestRegistration(ticket: ticket, members: members, observation: start.observation)
    }

    /// Runs work in a child task, which keeps the caller's priority, values and executor; a cancellation and the
    /// deadline reach everything that the work waits for.
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

    /// The key of running requests whose response this one may use; `nil` if it shares none.
    func joinKey(_ request: EncodedRequest) -> JoinKey? {
        guard let joining, let identity else { return nil }
        return JoinKey(request, named: identity.name, settings: joining)
    }
}
