// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of an observed resource: what it shows, its GETs, and its observers.
///
/// At most one GET is running. When it ends, another one begins in the same step if the user has changed meanwhile, or
/// if the value was invalidated again during a reload.
struct ObservedState<Value: Sendable> {
    /// How many GETs in a row may follow one whose user changed.
    static var mostUserChanges: Int { 3 }

    private(set) var shown = ResourceState<Value>()
    /// Its own GET that is running.
    private(set) var load: ObservedLoad?
    /// When the value was current.
    private var fresh: Moment?
    /// The key of its requests, before hooks.
    private var key: JoinKey?
    /// The key after hooks have changed the request.
    private var changedKey: JoinKey?
    /// Counts the users, so that a response to the last one isn't shown to the next.
    private var user = 0
    /// How many responses to other GETs are being decoded.
    private var decoding = 0
    /// When the call began whose value is shown, or whose refusal removed the value.
    private var accepted: Moment?
    private var nextObserver = 0
    private var observers: [Int: AsyncStream<ResourceState<Value>>.Continuation] = [:]

    init(key: JoinKey?) { self.key = key }

    /// The keys under which responses to other GETs are found.
    var keys: [JoinKey?] { [key] + [changedKey].compactMap(\.self) }

    /// Adds an observer, which receives the state.
    mutating func add(_ observer: AsyncStream<ResourceState<Value>>.Continuation) -> Int {
        nextObserver += 1
        observers[nextObserver] = observer
        observer.yield(shown)
        return nextObserver
    }

    mutating func removeObserver(_ number: Int) { observers[number] = nil }

    // MARK: Its own GET

    /// The consequences of a step.
    struct Step {
        /// The GET to send.
        var begun: ObservedLoad?
        /// The GET that it replaces.
        var replaced: ObservedLoad?
        /// The keys that are no longer valid, and the new one.
        var moved: (old: [JoinKey?], new: JoinKey?)?
    }

    /// Begins a GET if one is needed.
    ///
    /// It replaces a running one of another user. One for a reload also replaces one that is not for a reload, which may
    /// have been sent before the change.
    mutating func begin(_ reason: ObservedLoad.Reason, _ newKey: JoinKey?, at now: Moment) -> Step {
        let isOther = isOtherUser(newKey)
        guard isOther || needsGET(for: reason, at: now) else {
            if reason == .reload { load?.isOutdated = true }
            return Step()
        }
        var step = Step(replaced: load)
        if isOther { changeUser(newKey, &step) }
        begin(isOther ? self.reason(reason, replacing: step.replaced) : reason, at: now, &step)
        show()
        return step
    }

    /// Receives the response to its own GET; returns the key of the request that hooks have made of it, if that is new.
    mutating func receiveOwn(_ response: Response, of id: CallID, _ key: JoinKey?) -> JoinKey? {
        guard let reason = load?.reason, load?.id == id else { return nil }
        load?.response = response
        guard ![.reload, .storeRefreshed].contains(reason), let key, changedKey == nil,
            self.key.map({ !key.continues($0) }) ?? true
        else { return nil }
        changedKey = key
        return key
    }

    /// Ends a GET, unless another one has replaced it, and begins the one that must follow it.
    ///
    /// - Parameters:
    ///   - id: The GET.
    ///   - result: Its result, which isn't shown if the user has changed since it began.
    ///   - newKey: The present key.
    ///   - now: The present moment.
    ///   - problem: The error to show if the user changes during too many GETs in a row.
    /// - Returns: The consequences.
    mutating func finish(
        _ id: CallID,
        _ result: Result<Value, any Error>,
        _ newKey: JoinKey?,
        at now: Moment,
        orElse problem: @autoclosure () -> any Error
    ) -> Step {
        guard let ended = load, ended.id == id else { return Step() }
        let isOther = isOtherUser(newKey)
        load = nil
        var step = Step()
        if isOther {
            changeUser(newKey, &step)
            if case .failure(is CancellationError) = result {
                // No GET follows one that was cancelled.
            } else if ended.userChanges < Self.mostUserChanges {
                let reason = reason(.userChanged, replacing: ended)
                begin(reason, at: now, after: ended.userChanges + 1, &step)
            } else {
                shown.error = problem()
            }
        } else {
            if newKey != key {
                // The first login: the user is the one of the response.
                step.moved = ([key], newKey)
                key = newKey
            }
            end(ended, result, at: now, &step)
        }
        show()
        return step
    }

    /// Notes the task of a GET.
    ///
    /// - Returns: Whether the GET is still wanted.
    mutating func attach(_ task: Task<Void, Never>, to id: CallID) -> Bool {
        guard load?.id == id else { return false }
        load?.task = task
        return true
    }

    /// Whether requests with a key are another user's.
    ///
    /// A first login continues the user of the GET that waits for it.
    private func isOtherUser(_ newKey: JoinKey?) -> Bool {
        guard newKey != key else { return false }
        guard load != nil, let newKey, let key else { return true }
        return !newKey.continues(key)
    }

    private func needsGET(for reason: ObservedLoad.Reason, at now: Moment) -> Bool {
        switch reason {
        case .first: load == nil && shown.value == nil
        case .use(let limit): load == nil && !(fresh.map { now - $0 < limit } ?? false)
        case .reload: load?.reason != .reload
        case .storeRefreshed, .userChanged: load == nil
        }
    }

    /// The reason for a GET of another user.
    ///
    /// An invalidated value is old for each user. A response that a cache has renewed may be the last user's.
    private func reason(_ reason: ObservedLoad.Reason, replacing last: ObservedLoad?) -> ObservedLoad.Reason {
        if last?.reason == .reload { return .reload }
        return reason == .storeRefreshed ? .userChanged : reason
    }

    private mutating func begin(
        _ reason: ObservedLoad.Reason,
        at now: Moment,
        after userChanges: Int = 0,
        _ step: inout Step
    ) {
        load = ObservedLoad(started: now, reason: reason, userChanges: userChanges)
        step.begun = load
    }

    /// Shows the result of a GET, and begins the one that must follow it.
    private mutating func end(
        _ ended: ObservedLoad,
        _ result: Result<Value, any Error>,
        at now: Moment,
        _ step: inout Step
    ) {
        switch result {
        case .success(let value): accept(value, ended.response, since: ended.started, at: now)
        case .failure(is CancellationError): return
        // The cache may have lost it again; the server received nothing.
        case .failure where ended.reason == .storeRefreshed: break
        case .failure(let error): fail(error, since: ended.started, at: now)
        }
        if ended.isOutdated { begin(.reload, at: now, &step) }
    }

    /// Removes everything that the last user has seen.
    private mutating func changeUser(_ newKey: JoinKey?, _ step: inout Step) {
        step.moved = (keys, newKey)
        (key, changedKey, user) = (newKey, nil, user + 1)
        removeValue()
        (accepted, shown.error) = (nil, nil)
    }

    // MARK: Others' GETs

    /// Notes that a response to another GET is being decoded.
    ///
    /// - Parameters:
    ///   - requestKeys: The keys of that GET.
    ///   - started: When it began.
    /// - Returns: The number of the user; `nil` if it is another user's, or began before the GET whose result is shown.
    mutating func beginDecoding(_ requestKeys: [JoinKey], since started: Moment) -> Int? {
        guard isNewer(started), keys.contains(where: { $0.map(requestKeys.contains) ?? false }) else { return nil }
        decoding += 1
        show()
        return user
    }

    /// Ends the decoding of a response to another GET; one for an earlier user is not shown.
    mutating func endDecoding(
        _ value: Value?,
        _ response: Response,
        of user: Int,
        since started: Moment,
        at now: Moment
    ) {
        decoding -= 1
        guard user == self.user else { return show() }
        if let value {
            accept(value, response, since: started, at: now)
        } else if response.status == .notModified, isNewer(started) {
            confirm(response, since: started, at: now)
        }
        show()
    }

    // MARK: Shown values

    private func isNewer(_ started: Moment) -> Bool { accepted.map { $0 <= started } ?? true }

    /// Shows a value, unless the one that is shown is from a later call.
    private mutating func accept(_ value: Value, _ response: Response?, since started: Moment, at now: Moment) {
        guard isNewer(started) else { return }
        shown.value = value
        shown.version += 1
        confirm(response, since: started, at: now)
    }

    /// Notes that the value is current.
    private mutating func confirm(_ response: Response?, since started: Moment, at now: Moment) {
        guard shown.value != nil else { return }
        let age = response?.secondsInStore ?? 0
        (accepted, fresh) = (started, now - .seconds(age))
        shown.error = nil
        shown.updatedAt = Date(timeIntervalSinceNow: -Double(age))
    }

    /// Shows the error of a GET, unless a value from a later call is shown.
    private mutating func fail(_ error: any Error, since started: Moment, at now: Moment) {
        if let accepted, accepted > started { return }
        switch (error as? CumulusError)?.statusCode {
        case 304 where shown.value != nil: return confirm((error as? CumulusError)?.response, since: started, at: now)
        case 401, 403:
            removeValue()
            // Nor is a later response to an earlier GET shown.
            accepted = started
        default: break
        }
        shown.error = error
    }

    /// Removes the value, which the present user may not see.
    private mutating func removeValue() {
        if shown.value != nil { shown.version += 1 }
        (shown.value, shown.updatedAt, fresh) = (nil, nil, nil)
    }

    /// Sends the state to the observers.
    private mutating func show() {
        shown.isLoading = load != nil || decoding > 0
        for observer in observers.values { observer.yield(shown) }
    }
}

extension Response {
    /// The response's age in caches, in seconds (RFC 9111 section 5.1).
    fileprivate var secondsInStore: Int64 { min(max(0, headers[.age].flatMap { Int64($0) } ?? 0), 1 << 31) }
}
