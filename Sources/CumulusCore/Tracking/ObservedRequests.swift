// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The observed resources of a tree, by the requests whose responses they show.
final class ObservedRequests: Sendable {
    /// An observed resource, which the table doesn't retain.
    private struct Entry {
        weak var feed: (any ResponseFeed)?
        let id: ObjectIdentifier
    }

    private struct State {
        var byKey: [JoinKey: [Entry]] = [:]
        /// Resources without a key: those of unknown users, whose responses nothing else may supply.
        var unshared: [Entry] = []
        /// The resources whose own GET has a number.
        var byCall: [CallID: Entry] = [:]

        mutating func add(_ feed: some ResponseFeed, _ key: JoinKey?) {
            let entry = Entry(feed: feed, id: ObjectIdentifier(feed))
            if let key { byKey[key, default: []].append(entry) } else { unshared.append(entry) }
        }

        mutating func remove(_ id: ObjectIdentifier, _ key: JoinKey?) {
            guard let key else { return unshared.removeAll { $0.id == id } }
            byKey[key]?.removeAll { $0.id == id }
            if byKey[key]?.isEmpty == true { byKey[key] = nil }
        }
    }

    private let state = Mutex(State())
    private let count = Atomic(0)

    /// Whether nothing is observed, so that responses are not compared.
    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// The observed resource with a key that fits; a new one if nothing is found.
    func find<Feed: ResponseFeed>(_ key: JoinKey?, where fits: (Feed) -> Bool, orElse make: () -> Feed) -> Feed {
        let (feed, others) = state.withLock { state in
            let known = (key.flatMap { state.byKey[$0] } ?? []).compactMap(\.feed)
            if let feed = known.lazy.compactMap({ $0 as? Feed }).first(where: fits) { return (feed, known) }
            let feed = make()
            state.add(feed, key)
            count.add(1, ordering: .relaxed)
            return (feed, known)
        }
        // Released here, not under the lock: the last reference to a resource removes it from this table.
        withExtendedLifetime(others) {}
        return feed
    }

    /// Notes that the requests of a resource have another key than before.
    func move(_ feed: some ResponseFeed, from old: [JoinKey?], to new: JoinKey?) {
        state.withLock { state in
            for key in old { state.remove(ObjectIdentifier(feed), key) }
            state.add(feed, new)
        }
    }

    /// Notes that requests with a further key have the same response: hooks have changed the resource's own.
    func add(_ feed: some ResponseFeed, for key: JoinKey) {
        state.withLock { $0.add(feed, key) }
    }

    /// Removes a resource that isn't observed any more.
    func remove(_ id: ObjectIdentifier, _ keys: [JoinKey?]) {
        state.withLock { state in
            for key in keys { state.remove(id, key) }
        }
        count.subtract(1, ordering: .relaxed)
    }

    /// Notes the number of a resource's own GET.
    func begin(_ call: CallID, of feed: some ResponseFeed) {
        state.withLock { $0.byCall[call] = Entry(feed: feed, id: ObjectIdentifier(feed)) }
    }

    func end(_ call: CallID) {
        state.withLock { state in _ = state.byCall.removeValue(forKey: call) }
    }

    /// Passes a successful response to the resources with the same request.
    ///
    /// - Parameters:
    ///   - response: The response: successful, or 304.
    ///   - call: The call.
    ///   - started: When the call began.
    ///   - keys: The keys of the request, the present one first; none for a request that can't be shared, or whose user
    ///     has changed.
    func receive(_ response: Response, _ call: CallID, since started: Moment, keys: [JoinKey]) {
        let (own, others) = state.withLock { state in
            (state.byCall[call]?.feed, keys.flatMap { state.byKey[$0] ?? [] }.compactMap(\.feed))
        }
        own?.receiveOwn(response, of: call, keys.first)
        for feed in others where feed !== own { feed.receive(response, keys, since: started) }
    }

    /// Notes that a cache has renewed its response to a request.
    func storeWasRefreshed(_ request: EncodedRequest) {
        if !isEmpty { for feed in all { feed.storeWasRefreshed(request) } }
    }

    /// All resources that are observed.
    var all: [any ResponseFeed] {
        state.withLock { state in
            var seen: Set<ObjectIdentifier> = []
            let entries = state.byKey.values.joined().filter { seen.insert($0.id).inserted } + state.unshared
            return entries.compactMap(\.feed)
        }
    }
}

/// An observed resource, independent of its type.
protocol ResponseFeed: AnyObject, Sendable {
    /// The place of its requests, to find those at or below another place.
    var origin: Origin? { get }
    var path: String { get }

    /// Receives the response to its own GET, before that is decoded; `nil` is the key of a request that can't be shared.
    func receiveOwn(_ response: Response, of id: CallID, _ key: JoinKey?)

    /// Receives the response to another GET with the same request.
    ///
    /// - Parameters:
    ///   - response: The response: successful, or 304.
    ///   - keys: The keys of that request.
    ///   - started: When the call began.
    func receive(_ response: Response, _ keys: [JoinKey], since started: Moment)

    /// Gets the value again, from the server.
    func reload()

    /// A cache has renewed its response to the request.
    func storeWasRefreshed(_ request: EncodedRequest)
}
