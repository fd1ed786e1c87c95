// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// Stores a body while its reader takes it.
final class CacheTap: BodyTap {
    private enum Phase {
        case taking
        /// Too large to stay in memory, but written elsewhere.
        case unshared
        case over
    }

    private let engine: CacheEngine
    private let question: Question
    private let response: CachedResponse
    private let id: UInt64
    /// What other calls read meanwhile; `nil` if it is too large for that.
    private let body: GrowingBody?
    private let limit: Int
    private let expected: Int64?
    private let writer: (any CacheWriter)?
    private let changes: UInt64
    private let state: Mutex<(phase: Phase, count: Int64)>

    /// Whether other calls may read the body while it arrives.
    var isShared: Bool { body != nil }

    init(
        engine: CacheEngine,
        question: Question,
        response: CachedResponse,
        id: UInt64,
        body: GrowingBody?,
        limit: Int,
        expected: Int64?,
        writer: (any CacheWriter)?,
        changes: UInt64
    ) {
        (self.engine, self.question, self.response, self.id) = (engine, question, response, id)
        (self.body, self.limit, self.expected) = (body, limit, expected)
        (self.writer, self.changes) = (writer, changes)
        state = Mutex((body == nil ? .unshared : .taking, 0))
    }

    func receive(_ bytes: ByteChunk) async {
        let (phase, count) = state.withLock { state in
            state.count += Int64(bytes.count)
            return (state.phase, state.count)
        }
        if case .over = phase { return }
        if case .taking = phase, let body {
            let fits = count <= limit && engine.state.withLock { $0.shelf.grow(id, by: bytes.count) }
            if fits { body.append(bytes) } else { unshare(body) }
        }
        if let writer, await !writer.write(bytes) { give() }
    }

    func finish(_ end: ExchangeEnd) async {
        let (phase, count) = state.withLock { state in
            defer { state.phase = .over }
            return (state.phase, state.count)
        }
        if case .over = phase { return }
        // A body is whole if it has as many bytes as were announced (RFC 9111 section 3.3).
        guard expected.map({ $0 == count }) ?? true else { return give() }
        if let writer {
            if hasChanged {
                writer.abandon()
            } else {
                await writer.finish()
                // A change while it finished may have removed what wasn't there yet.
                if hasChanged { await engine.forget([question.key]) }
            }
        }
        guard case .taking = phase, let body else { return }
        let (bytes, hasChanged) = (body.finish(), hasChanged)
        engine.state.withLock { state in
            guard let entry = state.shelf[id] else { return }
            if writer != nil || hasChanged { return state.shelf.remove(id) }
            // Its head may have been confirmed meanwhile.
            state.shelf.replace(StoredEntry(id: id, response: entry.response, body: .bytes(bytes)))
        }
    }

    func abandon() { give() }

    /// Whether the URL has changed since the request was sent.
    private var hasChanged: Bool { engine.state.withLock { $0.changes.touch(question.key, since: changes) } }

    /// Others can't follow any more: those who do send their own requests.
    private func unshare(_ body: GrowingBody) {
        state.withLock { state in
            if case .taking = state.phase { state.phase = writer == nil ? .over : .unshared }
        }
        engine.state.withLock { $0.shelf.remove(id) }
        body.fail()
    }

    /// Nothing of it is kept.
    private func give() {
        state.withLock { $0.phase = .over }
        if let body {
            engine.state.withLock { $0.shelf.remove(id) }
            body.fail()
        }
        writer?.abandon()
    }
}
