// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The state of an event stream that its copies and loops share.
///
/// Releasing it ends the exchange.
final class EventSource: Sendable {
    private enum Phase {
        case idle(EventConnection)
        case reading
        case ended
    }

    private let phase: Mutex<Phase>
    private let report: EventStateReport

    init(_ connection: EventConnection, _ report: EventStateReport) {
        phase = Mutex(.idle(connection))
        self.report = report
    }

    deinit { report.tell(.closed(.cancelled)) }

    /// Calls a function with each state from now on.
    func onStateChange(_ handler: @escaping @Sendable (EventStreamState) -> Void) { report.add(handler) }

    /// Returns the next event.
    ///
    /// - Parameter isMarked: Whether a complete stream ends with an event that the reader has not seen.
    /// - Returns: The event; `nil` after the last, and after an error.
    /// - Throws: ``CumulusError``, also for a stream that ends without the mark; `CancellationError`.
    func next(isMarked: Bool) async throws -> ReceivedEvent? {
        guard let connection = try begin() else { return nil }
        do {
            try Task.checkCancellation()
            // Most events need no wait: their bytes have arrived with those of an earlier one.
            var received = try connection.arrived()
            if received == nil { received = try await connection.next(isMarked: isMarked) }
            if let received {
                // Another copy may have closed the stream in the meantime.
                phase.withLock { if case .reading = $0 { $0 = .idle(connection) } }
                return received
            }
            end(connection, connection.closing)
            return nil
        } catch let error as CumulusError where error.isConcurrentRead {
            phase.withLock { if case .reading = $0 { $0 = .idle(connection) } }
            throw error
        } catch {
            end(connection, error is CancellationError ? .cancelled : .failed(error))
            throw error
        }
    }

    /// Sets the cursor with which a list continues.
    func setCursor(_ cursor: ListCursor) {
        phase.withLock { phase in
            if case .idle(let connection) = phase { connection.cursor = cursor }
        }
    }

    /// Continues a list after an error of a value, or ends the stream.
    ///
    /// - Throws: The error, if the stream doesn't continue.
    func restart(after error: any Error) async throws {
        guard let connection = try begin() else { throw error }
        do {
            try await connection.restart(after: error)
            phase.withLock { if case .reading = $0 { $0 = .idle(connection) } }
        } catch {
            end(connection, error is CancellationError ? .cancelled : .failed(error))
            throw error
        }
    }

    /// Ends the stream after the event that marks its end.
    func finish() async {
        guard let connection = try? begin() else { return }
        await connection.drain()
        end(connection, .sentinel)
    }

    private func end(_ connection: EventConnection, _ reason: EventStreamState.Closing) {
        connection.close()
        phase.withLock { $0 = .ended }
        report.tell(.closed(reason))
    }

    private func begin() throws -> EventConnection? {
        try phase.withLock { phase in
            switch phase {
            case .idle(let connection):
                phase = .reading
                return connection
            case .reading: throw CumulusError.concurrentRead(of: nil)
            case .ended: return nil
            }
        }
    }
}

/// Reports the states of an event stream to its observers.
final class EventStateReport: Sendable {
    private struct State {
        var handlers: [@Sendable (EventStreamState) -> Void] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    func add(_ handler: @escaping @Sendable (EventStreamState) -> Void) {
        state.withLock { $0.handlers.append(handler) }
    }

    /// Reports a state; after the stream was closed, no other one is reported.
    func tell(_ new: EventStreamState) {
        let handlers = state.withLock { state in
            if state.isClosed { return [] as [@Sendable (EventStreamState) -> Void] }
            if case .closed = new { state.isClosed = true }
            return state.handlers
        }
        for handler in handlers { handler(new) }
    }
}
