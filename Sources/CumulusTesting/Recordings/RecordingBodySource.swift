// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization

/// A response's body that is recorded while it is read.
final class RecordingBodySource: ResponseBodySource {
    private let body: ResponseBody
    private let capture: BodyCapture
    private let recording: RecordedCall
    private let head: ResponseHead
    private let hasEnded = Mutex(false)

    init(_ response: TransportResponse, _ capture: BodyCapture, _ recording: RecordedCall) {
        body = response.body
        head = response.head
        self.capture = capture
        self.recording = recording
    }

    func next() async throws -> ResponseBodyElement {
        do {
            if let chunk = try await body.next() {
                capture.add(chunk)
                return .bytes(chunk)
            }
        } catch {
            if end(error is CancellationError ? .cancelled : .failed(RecordedCall.failure(error))) {
                // The body's own error counts.
                try? await recording.save()
            }
            throw error
        }
        let end = body.end ?? ExchangeEnd()
        if self.end(.complete(end.trailers), end.facts) { try await recording.save() }
        return .end(end)
    }

    func cancel() {
        let isWhole = body.expectedLength == capture.count
        body.cancel()
        if end(isWhole ? .complete([:]) : .cancelled) { recording.saveLater() }
    }

    /// Records the end, unless it was recorded before.
    private func end(_ ending: RecordedExchange.Ending, _ facts: ExchangeFacts = ExchangeFacts()) -> Bool {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        guard isFirst else { return false }
        let isWhole = if case .complete = ending { true } else { false }
        let outcome = RecordedExchange.Outcome.response(
            status: head.status,
            head.headers,
            protocolName: head.protocolName ?? facts.protocolName,
            capture.stored(isWhole: isWhole),
            ending
        )
        recording.end(outcome, bodySize: capture.count, facts)
        return true
    }
}
