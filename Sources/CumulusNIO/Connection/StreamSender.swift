// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

/// Runs the function that produces a streamed body, in the one task that an exchange may have, and holds it back
/// while the peer is slow.
// Unchecked: touched on the event loop only; the producer's task gets here by `execute`.
final class StreamSender: BodySender, @unchecked Sendable {
    private typealias Continuation = CheckedContinuation<Void, any Error>

    private let body: StreamBody
    private let eventLoop: any EventLoop
    private var writer: HTTP1RequestWriter
    private weak var connection: HTTP1Connection?
    private var task: Task<Void, Never>?
    private var held: [Continuation] = []
    private var isStopped = false

    init(_ body: StreamBody, writer: HTTP1RequestWriter, connection: HTTP1Connection, eventLoop: any EventLoop) {
        self.body = body
        self.writer = writer
        self.connection = connection
        self.eventLoop = eventLoop
    }

    var isWaitingForSource: Bool { held.isEmpty && connection?.isWritable == true }

    func pump() {
        if task == nil, !isStopped {
            // The exchange's own task: it outlives `send` when the answer comes early, and ends with the exchange.
            task = Task { [body] in
                let writer = BodyWriter { chunk in try await self.write(chunk) }
                do {
                    try await body.contents(0, writer)
                    self.eventLoop.execute { self.finish() }
                } catch {
                    self.eventLoop.execute { self.fail(error) }
                }
            }
        }
        guard connection?.isWritable == true else { return }
        let released = held
        held = []
        for continuation in released { continuation.resume() }
    }

    func stop() {
        isStopped = true
        connection = nil
        task?.cancel()
        let released = held
        held = []
        for continuation in released { continuation.resume(throwing: CancellationError()) }
    }

    private func write(_ chunk: ByteChunk) async throws {
        try await withCheckedThrowingContinuation { (continuation: Continuation) in
            eventLoop.execute { self.write(chunk, continuation) }
        }
    }

    private func write(_ chunk: ByteChunk, _ continuation: Continuation) {
        guard let connection, !isStopped else { return continuation.resume(throwing: CancellationError()) }
        do throws(HTTP1RequestError) {
            var prefix = ByteBuffer()
            try writer.writePrefix(ofPiece: chunk.count, into: &prefix)
            connection.noteProgress()
            if prefix.readableBytes > 0 { connection.send(.byteBuffer(prefix), flush: false) }
            connection.send(.byteBuffer(chunk.byteBuffer), flush: true)
        } catch {
            let failure = TransportFailure(.requestBody, error.description, sent: .something, cause: error)
            continuation.resume(throwing: failure)
            return connection.sendingFailed(self, failure)
        }
        // A write can end the exchange, and with it this sender.
        if isStopped {
            continuation.resume(throwing: CancellationError())
        } else if connection.isWritable {
            continuation.resume()
        } else {
            held.append(continuation)
        }
    }

    private func finish() {
        guard let connection, !isStopped else { return }
        do throws(HTTP1RequestError) {
            var end = ByteBuffer()
            try writer.writeEnd(into: &end)
            if end.readableBytes > 0 { connection.send(.byteBuffer(end), flush: true) }
            connection.sendingFinished(self)
        } catch {
            let failure = TransportFailure(.requestBody, error.description, sent: .something, cause: error)
            connection.sendingFailed(self, failure)
        }
    }

    private func fail(_ error: any Error) {
        guard let connection, !isStopped else { return }
        let message = "the request body could not be produced: \(error)"
        connection.sendingFailed(self, TransportFailure(.requestBody, message, sent: .something, cause: error))
    }
}
