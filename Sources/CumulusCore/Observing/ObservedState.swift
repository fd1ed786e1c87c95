// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A GET that an observed resource has sent itself.
struct ObservedLoad: Sendable {
    /// Why it is sent.
    enum Reason {
        /// There is no value yet.
        case first
        /// The value may be old.
        case use
        /// The value has changed on the server.
        case reload
        /// A cache has renewed its response, which is read from there.
        case storeRefreshed
        /// The user changed while a GET was running.
        case userChanged
    }

    let id: CallID
    let started: Moment
    let reason: Reason
    var task: Task<Void, Never>?
    /// The response, before it was decoded.
    var response: Response?
}

/// The state of an observed resource: what it shows, its GETs, and its observers.
struct ObservedState<Value: Sendable> {
    private(set) var shown = ResourceState<Value>()
    /// Its own GET that is running.
    var load: ObservedLoad?
    /// When the value was current.
    private(set) var fresh: Moment?
    /// The key of its requests, before hooks.
    private(set) var key: JoinKey?
    /// The key after hooks have changed the request.
    private var changedKey: JoinKey?
    /// Counts the users, so that a response to the last one isn't shown to the next.
    private var user = 0
    /// How many responses to other GETs are being decoded.
    private var decoding = 0
    /// When the call began whose value is shown.
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

    /// The consequences of a new GET.
    struct Start {
        /// The GET that it replaces.
        var replaced: ObservedLoad?
        /// The keys that are no longer valid, and the new one, if there is another user.
        var moved: (old: [JoinKey?], new: JoinKey?)?
    }

    /// Begins a GET, unless one is running; one for a reload takes the place of one that is running, which may have been
    /// sent before a change.
    ///
    /// - Returns: The consequences; `nil` if none is begun.
    mutating func begin(_ new: ObservedLoad, _ newKey: JoinKey?) -> Start? {
        let isOther = newKey != key
        if load != nil, new.reason != .reload, !isOther { return nil }
        if new.reason == .first, shown.value != nil, !isOther { return nil }
        var start = Start(replaced: load)
        load = new
        if isOther {
            // Another user: what the last one has seen is not shown.
            start.moved = (keys, newKey)
            (key, changedKey, user) = (newKey, nil, user + 1)
            forget()
        }
        show()
        return start
    }

    /// Receives the response to its own GET; returns the key of the request that hooks have made of it, if that is new.
    mutating func receiveOwn(_ response: Response, _ key: JoinKey?) -> JoinKey? {
        load?.response = response
        guard let reason = load?.reason, ![.reload, .storeRefreshed].contains(reason), let key, key != self.key,
            changedKey == nil
        else { return nil }
        changedKey = key
        return key
    }

    /// Ends a GET, unless another one has replaced it.
    mutating func finish(_ ended: ObservedLoad, _ result: Result<Value, any Error>, at now: Moment) {
        guard load?.id == ended.id else { return }
        let response = load?.response
        load = nil
        switch result {
        case .success(let value): accept(value, response, since: ended.started, at: now)
        // The cache may have lost it again; the server received nothing.
        case .failure where ended.reason == .storeRefreshed: break
        case .failure(let error): fail(error, since: ended.started, at: now)
        }
        show()
    }

    /// Notes that a response to another GET is being decoded.
    ///
    /// - Returns: The number of the user; `nil` if that GET began before the one whose value is shown.
    mutating func beginDecoding(since started: Moment) -> Int? {
        guard isNewer(started) else { return nil }
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
        if error is CancellationError { return }
        switch (error as? CumulusError)?.statusCode {
        case 304 where shown.value != nil: return confirm((error as? CumulusError)?.response, since: started, at: now)
        case 401, 403: forget()
        default: break
        }
        shown.error = error
    }

    /// Removes the value, which the present user may not see.
    private mutating func forget() {
        if shown.value != nil { shown.version += 1 }
        (shown.value, shown.updatedAt, accepted, fresh) = (nil, nil, nil, nil)
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
