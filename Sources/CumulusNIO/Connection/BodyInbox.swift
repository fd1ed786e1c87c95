// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

/// The part of a response body that has arrived and was not yet pulled, between the loop and the one consumer.
///
/// A state machine without locks or tasks; its owner puts it behind a lock.
struct BodyInbox<Waiter> {
    /// What a consumer finds.
    enum Taken {
        case bytes(ByteBuffer, resumesReading: Bool)
        case end(ExchangeEnd)
        case failed(any Error)
        /// Nothing yet; the consumer that came to wait is remembered.
        case nothing
    }

    private enum State {
        /// More may come. Leaves by `finish`, `fail` or `cancel`.
        case open
        /// All has arrived.
        case ended(ExchangeEnd)
        /// Broken off; what had arrived before is still given out.
        case failed(any Error)
    }

    private var state = State.open
    /// Made for the first chunk that has to wait: most bodies have none.
    private var chunks: CircularBuffer<ByteBuffer>?
    private var bufferedBytes = 0
    private var waiter: Waiter?
    private var isReadingHeld = false
    private let highWaterMark: Int

    /// An empty inbox that asks for a pause once it holds so many bytes.
    init(highWaterMark: Int) {
        self.highWaterMark = highWaterMark
    }

    /// Whether the consumer waits for bytes.
    var isDemanded: Bool { waiter != nil }

    /// Whether the end has not been seen.
    var isOpen: Bool { if case .open = state { true } else { false } }

    /// Asks whether to read on; a refusal is remembered, and lifted by the consumer.
    mutating func mayRead() -> Bool {
        isReadingHeld = bufferedBytes >= highWaterMark && isOpen
        return !isReadingHeld
    }

    /// Adds what arrived; a waiting consumer takes it at once, and is to be told by the caller.
    mutating func push(_ bytes: ByteBuffer) -> Waiter? {
        guard isOpen else { return nil }
        if let waiter {
            self.waiter = nil
            return waiter
        }
        bufferedBytes += bytes.readableBytes
        // Each chunk keeps the buffer that it came in: a peer that drips must not make many of them wait.
        if let count = chunks?.count, count >= 32, let last = chunks?.last, last.readableBytes <= 16_384,
            bytes.readableBytes <= 1_024
        {
            chunks?[offset: count - 1].writeImmutableBuffer(bytes)
            return nil
        }
        if chunks == nil { chunks = CircularBuffer(initialCapacity: 4) }
        chunks?.append(bytes)
        return nil
    }

    /// Marks the end; returns a consumer to be told.
    mutating func finish(_ end: ExchangeEnd) -> Waiter? {
        guard isOpen else { return nil }
        state = .ended(end)
        return takeWaiter()
    }

    /// Marks that it broke off; returns a consumer to be told.
    mutating func fail(_ error: any Error) -> Waiter? {
        guard isOpen else { return nil }
        state = .failed(error)
        return takeWaiter()
    }

    /// Drops everything; returns a consumer to be told, and whether more would have come.
    mutating func cancel() -> (waiter: Waiter?, wasOpen: Bool) {
        let wasOpen = isOpen
        state = .failed(CancellationError())
        chunks = nil
        bufferedBytes = 0
        return (takeWaiter(), wasOpen)
    }

    /// Takes the next element; if there is none, `newWaiter` will be told.
    mutating func take(orWait newWaiter: Waiter? = nil) -> Taken {
        if let bytes = chunks?.popFirst() {
            bufferedBytes -= bytes.readableBytes
            let resumes = isReadingHeld && bufferedBytes < highWaterMark
            if resumes { isReadingHeld = false }
            return .bytes(bytes, resumesReading: resumes)
        }
        switch state {
        case .ended(let end): return .end(end)
        case .failed(let error): return .failed(error)
        case .open:
            waiter = newWaiter
            return .nothing
        }
    }

    private mutating func takeWaiter() -> Waiter? {
        defer { waiter = nil }
        return waiter
    }
}
