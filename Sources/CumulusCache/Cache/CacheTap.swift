// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// Stores a body while its reader reads it.
final class CacheTap: BodyTap {
    private struct State {
        /// Whether the body in memory receives bytes.
        var isFed: Bool
        /// Whether the writer receives bytes.
        var isWritten: Bool
        var isOver = false
        var count: Int64 = 0
    }

    private let engine: CacheEngine
    private let lookup: CacheLookup
    private let response: CachedResponse
    private let id: UInt64
    /// The body in memory; `nil` if it is too large for that, or not needed.
    private let body: GrowingBody?
    private let limit: Int
    private let expected: Int64?
    private let writer: (any CacheWriter)?
    private let changes: UInt64
    /// The stored responses that the same request found in the storage before, and that the new head doesn't replace,
    /// since its `Vary` differs.
    private let superseded: [StoredEntry]
    private let state: Mutex<State>

    /// The fetch for which calls with the same request wait, if only the body's end determines whether the response is
    /// stored.
    private let arrival: SharedFetch?

    /// The outcome for calls that have waited for the head.
    ///
    /// They may read the body while it arrives if it is known to fit.
    var outcome: SharedFetch.Outcome {
        if let arrival { return .arriving(arrival) }
        return body != nil && expected != nil ? .stored : .released
    }

    init(
        engine: CacheEngine,
        lookup: CacheLookup,
        response: CachedResponse,
        id: UInt64,
        body: GrowingBody?,
        limit: Int,
        expected: Int64?,
        writer: (any CacheWriter)?,
        changes: UInt64,
        superseding superseded: [StoredEntry]
    ) {
        (self.engine, self.lookup, self.response, self.id) = (engine, lookup, response, id)
        (self.body, self.limit, self.expected) = (body, limit, expected)
        (self.writer, self.changes, self.superseded) = (writer, changes, superseded)
        arrival = expected == nil ? SharedFetch() : nil
        state = Mutex(State(isFed: body != nil, isWritten: writer != nil))
    }

    func receive(_ bytes: ByteChunk) async {
        let now = state.withLock { state in
            state.count += Int64(bytes.count)
            return state
        }
        if now.isOver { return }
        if now.isFed, let body {
            if stays(body, after: bytes.count, of: now.count) {
                body.append(bytes)
            } else {
                state.withLock { $0.isFed = false }
                body.fail()
                settle(.released)
            }
        }
        if now.isWritten, let writer, await !writer.write(bytes) {
            state.withLock { $0.isWritten = false }
            writer.abandon()
            // Calls that already read it continue.
            engine.state.withLock { $0.table.remove(id) }
            settle(.released)
        }
    }

    /// Reports the outcome to the calls that have waited for the body.
    private func settle(_ outcome: SharedFetch.Outcome) {
        guard let arrival else { return }
        if case .released = outcome {
            engine.state.withLock { $0.unjoinable.add(CacheEngine.FetchKey(lookup), at: lookup.clock.now) }
        }
        arrival.end(outcome)
    }

    /// Whether the body stays in memory.
    ///
    /// If its entry has left the table, or is too large for it, it stays only for its current readers.
    private func stays(_ body: GrowingBody, after new: Int, of count: Int64) -> Bool {
        engine.state.withLock { state in
            guard count <= limit else {
                state.table.remove(id)
                return false
            }
            return state.table.grow(id, by: new) || body.isFollowed
        }
    }

    func finish(_ end: ExchangeEnd) async {
        let now = state.withLock { state in
            defer { state.isOver = true }
            return state
        }
        if now.isOver { return }
        // If the response isn't stored after all, each waiting call requests it.
        defer {
            settle(.stored)
            endRefresh()
        }
        // A body is whole if it has as many bytes as were announced (RFC 9111 section 3.3).
        guard expected.map({ $0 == now.count }) ?? true else { return give() }
        if now.isWritten, let writer {
            if hasChanged {
                writer.abandon()
            } else {
                await writer.finish()
                for entry in superseded { await engine.remove(entry, of: lookup) }
                // The removal that came with a change during this call may have missed the response, which wasn't
                // stored yet.
                if hasChanged { await engine.forget([lookup.key]) }
            }
        }
        guard now.isFed, let body else { return }
        let (bytes, hasChanged) = (body.finish(), hasChanged)
        engine.state.withLock { state in
            guard let entry = state.table[id] else { return }
            if writer != nil || hasChanged { return state.table.remove(id) }
            // Its head may have been confirmed in the meantime.
            state.table.replace(StoredEntry(id: id, response: entry.response, body: .bytes(bytes)))
            // Of the responses that the same request finds, only the newest stays. Until now, other calls could use an
            // older one.
            var same: [UInt64] = []
            state.table.each(lookup.key, lookup.audience) { entry in
                if entry.isFor(followers: false), entry.response.selecting.match(lookup.fields) {
                    same.append(entry.id)
                }
            }
            for id in same.dropLast() { state.table.remove(id) }
        }
    }

    func abandon() { give() }

    /// Whether the URL has changed since the request was sent.
    private var hasChanged: Bool { engine.state.withLock { $0.changes.touch(lookup.key, since: changes) } }

    /// Discards the response, so that nothing of it is stored.
    private func give() {
        let isWritten = state.withLock { state in
            defer { (state.isOver, state.isFed, state.isWritten) = (true, false, false) }
            return state.isWritten
        }
        if let body {
            engine.state.withLock { $0.table.remove(id) }
            body.fail()
        }
        if isWritten { writer?.abandon() }
        settle(.failed)
        endRefresh()
    }

    /// From here on, a stale response may be refreshed again.
    private func endRefresh() { engine.end(nil, of: lookup, .released) }
}
