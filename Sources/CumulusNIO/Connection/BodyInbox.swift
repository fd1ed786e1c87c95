// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

/// The part of a response body that has arrived but was not read yet, between the loop and the one consumer.
///
/// A state machine without locks or tasks; its owner protects it with a lock.
struct BodyInbox<Waiter> {
    /// The result of a read.
    enum Taken {
        case bytes(ByteBuffer, resumesReading: Bool)
        case end(ExchangeEnd)
        case failed(any Error)
        /// Nothing yet; a waiting consumer is remembered.
        case nothing
    }

    private enum State {
        /// More may arrive. Left by `finish`, `fail` or `cancel`.
        case open
        /// Everything has arrived.
        case ended(ExchangeEnd)
        /// Interrupted; bytes that had arrived before are still delivered.
        case failed(any Error)
    }

    private var state = State.open
    /// Made for the first chunk that has to wait; most bodies have none.
    private var chunks: CircularBuffer<ByteBuffer>?
    private var bufferedBytes = 0
    private var waiter: Waiter?
    private var isReadingHeld = false
    private let highWaterMark: Int

    /// Creates an empty inbox that asks for a pause once it holds `highWaterMark` bytes.
    init(highWaterMark: Int) {
        self.highWaterMark = highWaterMark
    }

    /// Whether the consumer is waiting for bytes.
    var isDemanded: Bool { waiter != nil }

    /// Whether the end has not arrived.
    var isOpen: Bool { if case .open = state { true } else { false } }

    /// Whether to read on; a refusal is remembered, and lifted by the consumer.
    mutating func mayRead() -> Bool {
        isReadingHeld = bufferedBytes >= highWaterMark && isOpen
        return !isReadingHeld
    }

    /// Adds received bytes; a waiting consumer gets them immediately, and the caller must resume it.
    mutating func push(_ bytes: ByteBuffer) -> Waiter? {
        guard isOpen else { return nil }
        if let waiter {
            self.waiter = nil
            return waiter
        }
        bufferedBytes += bytes.readableBytes
        // Each chunk keeps its whole receive buffer: a peer that sends tiny pieces must not keep many of them.
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

    /// Marks the end; returns a consumer to resume.
    mutating func finish(_ end: ExchangeEnd) -> Waiter? {
        guard isOpen else { return nil }
        state = .ended(end)
        return takeWaiter()
    }

    /// Marks the interruption; returns a consumer to resume.
    mutating func fail(_ error: any Error) -> Waiter? {
        guard isOpen else { return nil }
        state = .failed(error)
        return takeWaiter()
    }

    /// Drops everything; returns a consumer to resume, and whether more would have arrived.
    mutating func cancel() -> (waiter: Waiter?, wasOpen: Bool) {
        let wasOpen = isOpen
        state = .failed(CancellationError())
        chunks = nil
        bufferedBytes = 0
        return (takeWaiter(), wasOpen)
    }

    /// Takes the next element; if there is none, `newWaiter` is resumed later.
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
