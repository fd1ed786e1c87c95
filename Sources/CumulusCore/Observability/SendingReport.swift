// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The events of one transmission of a request body: its progress, and its bytes.
///
/// The body's producer reports each piece when the transport has accepted it. A response can overtake the producer's
/// task, which may still wait for a thread when the server already has the whole body. The end of the response then
/// reports what is missing, so that the last event always comes before the call ends.
final class SendingReport: Sendable {
    fileprivate struct State {
        var accepted: Int64
        /// The piece that was passed to the transport last, until it is reported.
        var offered: ByteChunk?
        var isFinished = false
        /// Whether the producer's task is calling observers.
        var isReporting = false
        var reportWaiter: UnsafeContinuation<Void, Never>?
    }

    /// The events that are missing when a response ends.
    fileprivate enum Missing {
        case nothing
        /// The end, and perhaps the last piece before it.
        case end(ByteChunk?)
        /// The producer's task is calling observers.
        case unknown
    }

    /// The report of the latest transmission of an exchange's body.
    final class Latest: Sendable {
        private let report = Mutex<SendingReport?>(nil)

        fileprivate func set(_ new: SendingReport) { report.withLock { $0 = new } }

        func take() -> SendingReport? { report.withLock { $0.take() } }
    }

    private let observation: CallObservation
    private let counter: ProgressCounter?
    private let length: Int64?
    private let start: Int64
    private let state: Mutex<State>

    /// Creates a report of a body that is sent from an offset; `counter` is `nil` if no observer wants progress.
    init(_ observation: CallObservation, _ counter: ProgressCounter?, length: Int64?, from start: Int64) {
        self.observation = observation
        self.counter = counter
        self.length = length
        self.start = start
        state = Mutex(State(accepted: start))
    }

    /// Reports the beginning of the exchange's latest transmission.
    func begin(as latest: Latest?) {
        latest?.set(self)
        counter?.begin()
        if start > 0 { counter?.count(Int(start)) }
    }

    /// Passes a piece on, and reports it once it is accepted.
    func write(_ piece: ByteChunk, to writer: BodyWriter) async throws {
        state.withLock { $0.offered = piece }
        try await writer.write(piece)
        reportAsProducer { state in
            guard state.takeOffered() != nil else { return nil }
            return { self.report(piece) }
        }
    }

    /// Reports the end: the producer has returned.
    func finish() {
        reportAsProducer { state in
            if state.isFinished { return nil }
            state.isFinished = true
            return { self.counter?.finish() }
        }
    }

    /// Reports what is missing of a body that the transport has sent completely; called at the response's end.
    func finishIfWhole() async {
        while true {
            switch state.withLock({ $0.takeMissing(of: length) }) {
            case .nothing:
                await counter?.awaitDelivery()
                return
            case .end(let last):
                if let last { report(last) }
                counter?.finish()
                await counter?.awaitDelivery()
                return
            case .unknown:
                await withUnsafeContinuation { continuation in
                    let isReporting = state.withLock { state in
                        if state.isReporting { state.reportWaiter = continuation }
                        return state.isReporting
                    }
                    if !isReporting { continuation.resume() }
                }
            }
        }
    }

    private func report(_ piece: ByteChunk) {
        counter?.count(piece.count)
        if observation.kinds.contains(.bytes) { observation.tell(.sent(piece)) }
    }

    /// Calls observers in the producer's task; `finishIfWhole` waits until they have returned.
    private func reportAsProducer(_ next: (inout State) -> (() -> Void)?) {
        let report = state.withLock { state in
            let report = next(&state)
            state.isReporting = report != nil
            return report
        }
        guard let report else { return }
        report()
        let waiter = state.withLock { state in
            defer { state.reportWaiter = nil }
            state.isReporting = false
            return state.reportWaiter
        }
        waiter?.resume()
    }
}

extension SendingReport.State {
    /// Counts the offered piece as accepted, and returns it.
    fileprivate mutating func takeOffered() -> ByteChunk? {
        defer { offered = nil }
        accepted += Int64(offered?.count ?? 0)
        return offered
    }

    /// Finishes the report if the whole body was sent, and returns what is to be reported then.
    fileprivate mutating func takeMissing(of length: Int64?) -> SendingReport.Missing {
        if isReporting { return .unknown }
        guard !isFinished, accepted + Int64(offered?.count ?? 0) == length else { return .nothing }
        isFinished = true
        return .end(takeOffered())
    }
}
