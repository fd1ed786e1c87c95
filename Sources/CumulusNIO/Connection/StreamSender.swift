// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOCore

/// Runs the function that produces a streamed body, in the exchange's only task, and holds it back while the peer is
/// slow.
// Unchecked: touched on the event loop only; the producer's task gets here by `execute`.
final class StreamSender: BodySender, @unchecked Sendable {
    private typealias Continuation = CheckedContinuation<Void, any Error>

    private let body: StreamBody
    private let eventLoop: any EventLoop
    private var framing: BodyFraming
    private weak var outlet: (any BodyOutlet)?
    private var task: Task<Void, Never>?
    private var held: [Continuation] = []
    private var isStopped = false
    /// Whether the whole body had been sent when the exchange ended.
    private var isBodySent = false

    init(_ body: StreamBody, framing: BodyFraming, outlet: any BodyOutlet, eventLoop: any EventLoop) {
        self.body = body
        self.framing = framing
        self.outlet = outlet
        self.eventLoop = eventLoop
    }

    var isWaitingForSource: Bool { held.isEmpty && outlet?.isWritable == true }
    var isWhole: Bool { framing.isWhole }

    func pump() {
        if task == nil, !isStopped {
            // At once: a connection that fails before the task runs must not let the body go elsewhere meanwhile.
            do { try body.reserve() } catch { return fail(error) }
            // The exchange's own task: it outlives `send` if the response arrives early, and ends with the exchange.
            task = Task { [body] in
                let writer = BodyWriter { chunk in try await self.write(chunk) }
                do {
                    try await body.contents(0, writer)
                    let trailers = try await body.trailers?()
                    self.eventLoop.execute { self.finish(trailers) }
                } catch {
                    self.eventLoop.execute { self.fail(error) }
                }
            }
        }
        guard outlet?.isWritable == true else { return }
        let released = held
        held = []
        for continuation in released { continuation.resume() }
    }

    func stop(isBodySent: Bool) {
        isStopped = true
        self.isBodySent = isBodySent
        outlet = nil
        // Work of the source after the last byte, such as closing a file, must not be cancelled.
        if !isWhole { task?.cancel() }
        let released = held
        held = []
        for continuation in released { resumeStopped(continuation) }
    }

    /// Resumes a source whose piece was sent before the exchange ended: it fails only if the server does not have the
    /// whole body.
    private func resumeStopped(_ continuation: Continuation) {
        if isBodySent { continuation.resume() } else { continuation.resume(throwing: CancellationError()) }
    }

    private func write(_ chunk: ByteChunk) async throws {
        try await withCheckedThrowingContinuation { (continuation: Continuation) in
            eventLoop.execute { self.write(chunk, continuation) }
        }
    }

    private func write(_ chunk: ByteChunk, _ continuation: Continuation) {
        guard let outlet, !isStopped else {
            if isBodySent, chunk.isEmpty { return continuation.resume() }
            return continuation.resume(throwing: lateError(for: chunk))
        }
        do throws(HTTP1RequestError) {
            var prefix = ByteBuffer()
            try framing.writePrefix(ofPiece: chunk.count, into: &prefix)
            outlet.noteProgress()
            if prefix.readableBytes > 0 { outlet.send(.byteBuffer(prefix), flush: false) }
            outlet.send(.byteBuffer(chunk.byteBuffer), flush: true)
        } catch {
            let failure = TransportFailure(.requestBody, error.description, fate: .unknown, cause: error)
            continuation.resume(throwing: failure)
            return outlet.sendingFailed(self, failure)
        }
        // A write can end the exchange, and with it this sender.
        if isStopped {
            resumeStopped(continuation)
        } else if outlet.isWritable {
            continuation.resume()
        } else {
            held.append(continuation)
        }
    }

    /// What a source learns that still writes when nothing more is sent: of a body beyond its announced length, the
    /// response may have come before that.
    private func lateError(for chunk: ByteChunk) -> any Error {
        var prefix = ByteBuffer()
        do throws(HTTP1RequestError) {
            if isWhole { try framing.writePrefix(ofPiece: chunk.count, into: &prefix) }
            return CancellationError()
        } catch {
            return TransportFailure(.requestBody, error.description, fate: .unknown, cause: error)
        }
    }

    private func finish(_ trailers: HTTPFields?) {
        guard let outlet, !isStopped else { return }
        do throws(HTTP1RequestError) {
            var end = ByteBuffer()
            try framing.writeEnd(trailers: trailers, into: &end)
            if end.readableBytes > 0 { outlet.send(.byteBuffer(end), flush: true) }
            if let trailers, !trailers.isEmpty { outlet.sendTrailers(trailers) }
            outlet.sendingFinished(self)
        } catch {
            let failure = TransportFailure(.requestBody, error.description, fate: .unknown, cause: error)
            outlet.sendingFailed(self, failure)
        }
    }

    private func fail(_ error: any Error) {
        guard let outlet, !isStopped else { return }
        // A producer that reads another body (`RequestBody.read`) passes on that one's failure, which has the cause.
        let read = (error as? TransportFailure).flatMap { $0.kind == .requestBody ? $0 : nil }
        let message = read?.message ?? "the request body could not be produced: \(error)"
        outlet.sendingFailed(
            self,
            TransportFailure(.requestBody, message, fate: .unknown, cause: read?.cause ?? error)
        )
    }
}
