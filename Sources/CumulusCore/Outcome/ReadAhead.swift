// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The bytes that readers of a stream have taken from its body and not returned yet.
///
/// All readers of a stream share it, one at a time. The next reader continues where the last one stopped.
final class ReadAhead: Sendable {
    /// The remaining bytes of a piece after an element, and the position in the body.
    struct Unread {
        var chunk: [UInt8] = []
        var place = 0
        /// The number of line ends before the bytes.
        var line = 0
        /// The number of JSON values before the bytes.
        var number = 0
        /// The state of reading events; `nil` before the first.
        var events: EventParser?

        /// Returns the bytes that were not returned before; `nil` if all were.
        mutating func take() -> ByteChunk? {
            guard place < chunk.count else { return nil }
            defer { (chunk, place) = ([], 0) }
            return ByteChunk(Array(chunk[place...]))
        }
    }

    private struct State {
        var unread = Unread()
        var isRead = false
        var hasBegun = false
        var isCancelled = false
        var failure: CumulusError?
    }

    private let state = Mutex(State())
    private let parts = Mutex<MultipartProgress?>(nil)

    /// Runs a reader, which leaves the bytes after the element that it returns.
    ///
    /// - Throws: ``CumulusError`` while another reader runs, so that neither of them loses a byte; the reader's error,
    ///   and the error with which an earlier reader ended the exchange.
    func read<Result>(
        of request: EncodedRequest,
        _ reader: (inout Unread) async throws -> Result
    ) async throws -> Result {
        var unread = try begin(request)
        defer { end(unread) }
        return try await reader(&unread)
    }

    /// Runs a reader that doesn't wait, on the bytes that are there.
    ///
    /// - Throws: ``CumulusError`` while another reader runs, and the error with which an earlier one ended the exchange.
    func readNow<Result>(of request: EncodedRequest, _ reader: (inout Unread) -> Result) throws -> Result {
        let result = try state.withLock { state -> Result? in
            if state.isRead { return nil }
            if let failure = state.failure { throw failure }
            return reader(&state.unread)
        }
        guard let result else { throw CumulusError.concurrentRead(of: request) }
        return result
    }

    private func begin(_ request: EncodedRequest) throws -> Unread {
        let unread = try state.withLock { state -> Unread? in
            if state.isRead { return nil }
            if let failure = state.failure { throw failure }
            (state.isRead, state.hasBegun) = (true, true)
            var unread = Unread()
            swap(&state.unread, &unread)
            return unread
        }
        guard let unread else { throw CumulusError.concurrentRead(of: request) }
        return unread
    }

    private func end(_ unread: Unread) {
        state.withLock { state in
            (state.unread, state.isRead) = (unread, false)
            if state.isCancelled { _ = state.unread.take() }
        }
    }

    /// Removes the bytes that no reader has returned.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            _ = state.unread.take()
        }
    }

    /// Records the error with which a reader ends the exchange.
    func fail(_ error: any Error) {
        state.withLock { $0.failure = $0.failure ?? error as? CumulusError }
    }

    /// Whether a reader has taken bytes.
    var hasBegun: Bool { state.withLock(\.hasBegun) }

    /// The state of reading events; `nil` before the first.
    var events: EventParser? { state.withLock(\.unread.events) }

    /// The state of reading parts, made by the first reader of parts.
    func progress(_ make: () throws -> MultipartProgress) throws -> MultipartProgress {
        try parts.withLock { parts in
            if let parts { return parts }
            let made = try make()
            parts = made
            return made
        }
    }
}

/// The error of a reader while another one reads the same stream, which goes on.
private struct ConcurrentRead: Error {}

extension CumulusError {
    /// The error of a reader while another one reads the same stream.
    static func concurrentRead(of request: EncodedRequest?) -> CumulusError {
        let message = "the stream is being read by another consumer"
        let failure = TransportFailure(.invalidUse, message, cause: ConcurrentRead())
        return CumulusError(failure, stage: .delivery, request: request)
    }

    /// Whether the stream is being read by another consumer, which goes on.
    var isConcurrentRead: Bool { (cause as? TransportFailure)?.cause is ConcurrentRead }
}
