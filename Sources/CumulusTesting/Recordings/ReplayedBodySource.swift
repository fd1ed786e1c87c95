// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization

/// A recorded body, delivered in pieces like a transport's.
final class ReplayedBodySource: ResponseBodySource {
    private static let pieceSize: Int64 = 65_536

    private let content: Result<FixtureContent, RecordingProblem>
    private let ending: RecordedExchange.Ending
    private let facts: ExchangeFacts
    private let pause: StubPause
    private let position = Mutex<Int64>(0)
    private let cancelled = Gate()

    init(
        _ content: Result<FixtureContent, RecordingProblem>,
        _ ending: RecordedExchange.Ending,
        _ facts: ExchangeFacts,
        _ pause: StubPause
    ) {
        self.content = content
        self.ending = ending
        self.facts = facts
        self.pause = pause
    }

    func next() async throws -> ResponseBodyElement {
        try Task.checkCancellation()
        let content: FixtureContent
        switch self.content {
        case .success(let found): content = found
        case .failure(let problem): throw problem.error
        }
        let start = position.withLock { position in
            defer { position = min(position + ReplayedBodySource.pieceSize, content.length) }
            return position
        }
        if start < content.length {
            let end = min(start + ReplayedBodySource.pieceSize, content.length)
            do {
                return .bytes(try content.read(start..<end))
            } catch {
                throw TransportFailure(.truncated, "\(error)", fate: .unknown, cause: error)
            }
        }
        switch ending {
        case .complete(let trailers):
            var facts = facts
            facts.bytesReceived = content.length
            return .end(ExchangeEnd(trailers: trailers, facts: facts))
        case .failed(let failure): throw failure
        case .cancelled: throw await silence()
        }
    }

    func cancel() { cancelled.open() }

    /// Waits until the reader leaves, or a time limit passes: the remaining bytes are not known.
    private func silence() async -> any Error {
        await withTaskGroup(of: (any Error)?.self) { group in
            group.addTask { [pause] in await pause.silence(.idle) }
            group.addTask { [cancelled] in
                try? await cancelled.wait()
                return CancellationError()
            }
            defer { group.cancelAll() }
            return await group.next().flatMap(\.self) ?? CancellationError()
        }
    }
}

extension StubPause {
    /// Waits until a time limit of the request passes, or the task is cancelled; returns the error.
    func silence(_ phase: TransportFailure.Phase) async -> any Error {
        // Longer than any limit.
        do { try await wait(.seconds(100 * 365 * 86_400), phase: phase) } catch { return error }
        return CancellationError()
    }
}
