// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Adds a request to its tree's list, where it can be seen and cancelled.
struct Tracking: Sendable {
    let context: TreeContext
    /// Whether the request needs its own task for cancellation, because it may wait for more than the transport.
    let needsTask: Bool
    /// Whether hooks may wait, except for preflights, which run before a request is in the list.
    let hasHooks: Bool
    private let members: CallMembers?
    private let settings: SettingValues

    init(_ context: TreeContext, _ transport: any Transport, settings: SettingValues) {
        self.context = context
        self.settings = settings
        members = settings.value(ScopeKey.self)?.members
        hasHooks = settings.haveHooks
        // A bandwidth limit also makes calls wait, but runs no user code. Calls with hooks also count their nesting,
        // and must not block the main thread.
        needsTask =
            hasHooks || !transport.capabilities.attachesExchanges || settings.value(BandwidthKey.self) != nil
    }

    /// Adds a call, unless it was added when it was started.
    ///
    /// A call that replaces others cancels them.
    ///
    /// - Throws: ``CumulusError`` if the tree was shut down; `CancellationError` if the call was cancelled.
    func begin(_ draft: RequestDraft, _ start: CallStart, sends: Bool) throws -> CallRegistration {
        let listing: CallListing
        if let begun = draft.beginning?.take() {
            listing = begun
            try context.callList.renew(begun, entry(draft, since: start.started))
        } else {
            listing = try enter(draft, since: start.started, sends: sends)
        }
        return registration(of: listing, joins: sends, observation: start.observation)
    }

    /// Adds a stream that waits before its next request.
    ///
    /// - Throws: ``CumulusError`` if the tree was shut down.
    func beginWaiting(_ draft: RequestDraft, since started: Moment) throws -> CallRegistration {
        var entry = entry(draft, since: started)
        entry.isWaiting = true
        return registration(of: try context.callList.enter(entry), joins: true, observation: nil)
    }

    private func registration(
        of listing: CallListing,
        joins: Bool,
        observation: CallObservation?
    ) -> CallRegistration {
        var members = joins ? CallMembers.current : []
        if joins, let own = self.members { members.append(own) }
        if !members.isEmpty { for one in members { one.join(listing) } }
        return CallRegistration(listing: listing, members: members, observation: observation)
    }

    /// Adds a call to the list.
    ///
    /// - Throws: ``CumulusError`` if the tree was shut down.
    func enter(_ draft: RequestDraft, since started: Moment, sends: Bool) throws -> CallListing {
        try context.callList.enter(entry(draft, since: started), replacing: sends && draft.key?.rule == .replace)
    }

    private func entry(_ draft: RequestDraft, since started: Moment) -> RunningCallList.Entry {
        let label = draft.key.map { key in
            CallLabel(key.name, user: draft.node?.userCopy, scope: self.members)
        }
        return RunningCallList.Entry(id: draft.id, subject: draft, startedAt: started, label: label)
    }

    /// Runs work in a child task, which keeps the caller's priority, task-local values and executor.
    ///
    /// A cancellation and the deadline reach everything that the work waits for.
    func inOwnTask<Output: Sendable>(
        _ call: CallContext,
        of draft: RequestDraft,
        on clock: any RequestClock,
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        guard let listing = call.listing else { return try await work() }
        let callList = context.callList
        return try await call.start.limited(on: clock, of: draft) { try await callList.attaching(listing, work) }
    }

    /// The key of running calls whose response this call may share; `nil` if it shares none.
    func joinKey(_ request: EncodedRequest, _ key: CallKey) -> JoinKey? {
        let authorizers = settings.value(AuthorizersKey.self).filter { $0.serves(request.origin) }
        return JoinKey(
            request,
            named: key.name,
            settings: ExchangeSettings(settings),
            users: authorizers.map(\.authorizer.identity)
        )
    }
}

extension SettingValues {
    /// Whether user code may make a request wait: for a network, a lock, or a person.
    fileprivate var haveHooks: Bool {
        !value(InterceptorsKey.self).isEmpty || !value(ValidatorsKey.self).isEmpty
            || !value(ResponseProcessorsKey.self).isEmpty || !value(PostProcessorsKey.self).isEmpty
            || value(RetryKey.self)?.decide != nil
    }
}
