// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The running requests of a tree, and the target that each one's cancellation ends.
///
/// Entering and leaving costs a lock, and no allocation once the list has grown.
final class RunningCallList: CallList {
    /// The target that a request's cancellation ends.
    enum Target: Sendable {
        case exchange(any CancellableExchange)
        /// The request's own task; valid until it is detached.
        case task(OwnTask)
    }

    /// A request's own task; an object, because the layout of its contents is only known at run time.
    // Unchecked: only `cancel` is called from other tasks, only while the task lives; `detachTask` ensures that.
    final class OwnTask: @unchecked Sendable {
        private let task: UnsafeCurrentTask

        init(_ task: UnsafeCurrentTask) { self.task = task }

        func cancel() { task.cancel() }
    }

    /// The data of a running request.
    struct Entry: Sendable {
        let id: CallID
        let subject: any RunningSubject
        let startedAt: Moment
        /// The request's name, for replacing.
        let label: CallLabel?
        /// Whether it is a stream that waits before its next request.
        var isWaiting = false
    }

    fileprivate struct Slot {
        var entry: Entry?
        /// The entry's number, which can be compared without copying the whole entry.
        var id: CallID?
        var target: Target?
        var isCancelled = false
        /// Whether a task is being cancelled, so that it must not end yet.
        var isTelling = false
        var detaching: UnsafeContinuation<Void, Never>?
    }

    fileprivate struct State {
        var slots: [Slot] = []
        var free: [Int] = []
        var isClosed = false
        var callCount: UInt64 = 0
        var repetitionCount: UInt64 = 0
        /// The indices of the running requests with a label.
        var labeled: [CallLabel: Set<Int>] = [:]
        var idleWaiters: [IdleWaiter] = []
    }

    /// A caller that waits until no matching request is running.
    fileprivate struct IdleWaiter {
        let covers: @Sendable (any RunningSubject) -> Bool
        let continuation: CheckedContinuation<Void, Never>
        /// The number of matching requests that are running.
        var count: Int
    }

    private let state = Mutex(State())

    /// The number of requests that have begun so far, and of those that were sent again within an attempt.
    var load: (calls: UInt64, repetitions: UInt64) { state.withLock { ($0.callCount, $0.repetitionCount) } }

    func noteRepetition() { state.withLock { $0.repetitionCount &+= 1 } }

    /// Records that a request has begun.
    ///
    /// One that replaces others with its label cancels the earlier ones.
    ///
    /// - Throws: ``CumulusError`` with ``CumulusError/Code/shutdown`` if the tree was shut down.
    func enter(_ own: consuming Entry, replacing: Bool = false) throws -> CallListing {
        let (id, label) = (own.id, own.label)
        // Moved into the list.
        var entry: Entry? = own
        var replaced: [CallListing] = []
        let index: Int? = state.withLock { state in
            if state.isClosed { return nil }
            state.callCount &+= 1
            // In one step: otherwise, two requests that begin at the same time would miss each other.
            if replacing { replaced = listings(of: label, in: state) }
            let index: Int
            if let free = state.free.popLast() {
                index = free
                state.slots[index].id = id
            } else {
                index = state.slots.count
                state.slots.append(Slot(id: id))
            }
            if state.concerns(label), let entry { state.add(entry, at: index) }
            swap(&state.slots[index].entry, &entry)
            return index
        }
        guard let index else { throw refusal(of: entry?.subject) }
        RequestActivity.begin()
        for listing in replaced { cancel(listing) }
        return CallListing(callList: self, index: index, id: id)
    }

    /// Records the request of a call that was started, once it is known.
    ///
    /// - Throws: `CancellationError` if it was cancelled before; it has then left the list.
    func renew(_ listing: CallListing, _ entry: Entry) throws {
        var replaced: Entry? = entry
        let idle = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
            guard state.slots[listing.index].id == listing.id, !state.slots[listing.index].isCancelled else {
                return nil
            }
            swap(&state.slots[listing.index].entry, &replaced)
            state.add(entry, at: listing.index)
            return replaced.map { state.remove($0, at: listing.index, isRenewed: true) } ?? []
        }
        // The replaced entry is released here, outside the lock.
        if let idle {
            for waiter in idle { waiter.resume() }
            return
        }
        leave(listing)
        throw CancellationError()
    }

    /// Whether further requests are refused.
    var isClosed: Bool { state.withLock(\.isClosed) }

    /// The error of a request that is refused.
    func refusal(of subject: (any RunningSubject)?) -> CumulusError {
        CumulusError(
            .shutdown,
            stage: .preflight,
            "the resource has been closed and accepts no more requests",
            request: subject?.bare
        )
    }

    private func listings(of label: CallLabel?, in state: borrowing State) -> [CallListing] {
        guard let label, let indices = state.labeled[label] else { return [] }
        return indices.sorted().compactMap { index in
            state.slots[index].id.map { CallListing(callList: self, index: index, id: $0) }
        }
    }

    /// Records that a request has ended; true if it had been cancelled from outside.
    @discardableResult
    func leave(_ listing: CallListing) -> Bool {
        // The slot's contents are released here, outside the lock.
        var slot = Slot()
        let idle = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
            guard state.slots[listing.index].id == listing.id else { return nil }
            swap(&state.slots[listing.index], &slot)
            state.free.append(listing.index)
            guard state.concerns(slot.entry?.label), let entry = slot.entry else { return [] }
            return state.remove(entry, at: listing.index)
        }
        guard let idle else { return false }
        RequestActivity.end()
        if !idle.isEmpty { for waiter in idle { waiter.resume() } }
        return slot.isCancelled
    }

    /// The running requests, oldest first.
    func entries(where covers: (Entry) -> Bool) -> [(entry: Entry, listing: CallListing)] {
        let all = state.withLock { state in
            state.slots.enumerated().compactMap { index, slot in slot.entry.map { (entry: $0, index: index) } }
        }
        return all.filter { covers($0.entry) }.sorted { $0.entry.id < $1.entry.id }
            .map { ($0.entry, CallListing(callList: self, index: $0.index, id: $0.entry.id)) }
    }

    /// Cancels a request.
    ///
    /// - Returns: Whether it was running and had not been cancelled before.
    @discardableResult
    func cancel(_ listing: CallListing) -> Bool {
        let found: Target?? = state.withLock { state in
            guard state.slots[listing.index].id == listing.id, !state.slots[listing.index].isCancelled else {
                return nil
            }
            state.slots[listing.index].isCancelled = true
            let target = state.slots[listing.index].target
            if case .task? = target { state.slots[listing.index].isTelling = true }
            return .some(target)
        }
        guard let target = found else { return false }
        // Outside the lock: cancelling runs the handlers of waiting tasks.
        switch target {
        case .exchange(let exchange)?: exchange.cancelExchange()
        case .task(let task)?:
            task.cancel()
            told(listing)
        case nil: break
        }
        return true
    }

    /// Whether a request has been cancelled from outside.
    func isCancelled(_ listing: CallListing) -> Bool {
        state.withLock { $0.slots[listing.index].id == listing.id && $0.slots[listing.index].isCancelled }
    }

    func attach(_ exchange: any CancellableExchange, to listing: CallListing) -> Bool {
        attach(.exchange(exchange), to: listing)
    }

    func attached(to listing: CallListing) -> (any CancellableExchange)? {
        state.withLock { state in
            let slot = state.slots[listing.index]
            guard slot.id == listing.id, case .exchange(let exchange)? = slot.target else { return nil }
            return exchange
        }
    }

    /// Makes the request's cancellation end a target; false if it was already cancelled.
    func attach(_ target: Target, to listing: CallListing) -> Bool {
        let (replaced, isAttached) = state.withLock { state -> (Target?, Bool) in
            guard state.slots[listing.index].id == listing.id, !state.slots[listing.index].isCancelled else {
                return (nil, false)
            }
            // If the request has its own task, cancelling it reaches everything for which it waits.
            if case .task? = state.slots[listing.index].target { return (nil, true) }
            let replaced = state.slots[listing.index].target
            state.slots[listing.index].target = target
            return (replaced, true)
        }
        withExtendedLifetime(replaced) {}
        return isAttached
    }

    /// Runs work of a request in the current task, which the request's cancellation ends.
    ///
    /// - Throws: `CancellationError` if it was already cancelled, or the work's error.
    func attaching<Output>(_ listing: CallListing, _ work: () async throws -> Output) async throws -> Output {
        let isAttached = withUnsafeCurrentTask { task in
            task.map { attach(.task(.init($0)), to: listing) } ?? false
        }
        guard isAttached else { throw CancellationError() }
        do {
            let output = try await work()
            await detachTask(of: listing)
            return output
        } catch {
            await detachTask(of: listing)
            throw error
        }
    }

    /// Removes a request's own task, which must not end before this method returns.
    func detachTask(of listing: CallListing) async {
        let mustWait = state.withLock { state -> Bool in
            guard state.slots[listing.index].id == listing.id else { return false }
            state.slots[listing.index].target = nil
            return state.slots[listing.index].isTelling
        }
        guard mustWait else { return }
        await withUnsafeContinuation { continuation in
            let isTold = state.withLock { state -> Bool in
                guard state.slots[listing.index].isTelling else { return true }
                state.slots[listing.index].detaching = continuation
                return false
            }
            if isTold { continuation.resume() }
        }
    }

    private func told(_ listing: CallListing) {
        let waiter = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            guard state.slots[listing.index].id == listing.id else { return nil }
            state.slots[listing.index].isTelling = false
            let waiter = state.slots[listing.index].detaching
            state.slots[listing.index].detaching = nil
            return waiter
        }
        waiter?.resume()
    }

    /// Refuses further requests.
    func close() { state.withLock { $0.isClosed = true } }

    /// Waits until no matching request is running.
    func idle(where covers: @escaping @Sendable (any RunningSubject) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state -> Bool in
                let count = state.slots.count { $0.entry.map { covers($0.subject) } ?? false }
                if count == 0 { return true }
                state.idleWaiters.append(IdleWaiter(covers: covers, continuation: continuation, count: count))
                return false
            }
            if isIdle { continuation.resume() }
        }
    }
}

extension RunningCallList.State {
    /// Whether a request with a label must be counted: few have a label, and few callers wait for the end of others.
    fileprivate func concerns(_ label: CallLabel?) -> Bool { label != nil || !idleWaiters.isEmpty }

    /// Counts a request that has begun.
    fileprivate mutating func add(_ entry: RunningCallList.Entry, at index: Int) {
        if let label = entry.label { labeled[label, default: []].insert(index) }
        for waiter in idleWaiters.indices where idleWaiters[waiter].covers(entry.subject) {
            idleWaiters[waiter].count += 1
        }
    }

    /// Records that a request has ended, or got another entry.
    ///
    /// Returns the callers for which it was the last one.
    fileprivate mutating func remove(
        _ entry: RunningCallList.Entry,
        at index: Int,
        isRenewed: Bool = false
    ) -> [CheckedContinuation<Void, Never>] {
        if let label = entry.label, !isRenewed || slots[index].entry?.label != label {
            labeled[label]?.remove(index)
            if labeled[label]?.isEmpty == true { labeled[label] = nil }
        }
        if idleWaiters.isEmpty { return [] }
        for waiter in idleWaiters.indices where idleWaiters[waiter].covers(entry.subject) {
            idleWaiters[waiter].count -= 1
        }
        let idle = idleWaiters.filter { $0.count == 0 }.map(\.continuation)
        if !idle.isEmpty { idleWaiters.removeAll { $0.count == 0 } }
        return idle
    }
}
