// SPDX-License-Identifier: Apache-2.0

#if CUMULUS_CHECKED
import HTTPTypes
import Synchronization

/// Watches what a call hands to its transport, in debug builds with `CUMULUS_STRICT` alone.
///
/// What must never happen ends the test in which it does, in every test of the suite.
final class SendWatch: Sendable {
    private struct State {
        var ledger = SendLedger()
        /// The once-only bodies of which something was read; held, so that no other one gets their address.
        var spent: [ObjectIdentifier: StreamBeginning] = [:]
    }

    private let state = Mutex(State())

    func beginAttempt(
        _ request: EncodedRequest,
        after history: CallHistory,
        _ policy: RetryPolicy?,
        _ authorizers: [BoundAuthorizer],
        isDownload: Bool
    ) {
        state.withLock {
            $0.ledger.beginAttempt(
                request,
                for: history.reason,
                isFirst: history.hops.isEmpty,
                isDownload: isDownload,
                sharing: authorizers.filter { !$0.sharedOrigins.isEmpty }.reduce(into: []) { all, bound in
                    all.formUnion(bound.sharedOrigins)
                    if let own = bound.origin { all.insert(own) }
                },
                policy
            )
        }
    }

    func plan() { state.withLock { $0.ledger.plan() } }

    /// What is known when it is decided to send a request, for the first time or once more.
    func decide(_ passage: inout SendLedger.Passage) { passage.spent = state.withLock { Set($0.spent.keys) } }

    /// A request is handed over.
    func begin(
        _ request: inout TransportRequest,
        shown: HTTPFields,
        _ passage: inout SendLedger.Passage,
        until end: Moment?
    ) {
        watch(&request.body)
        // On a busy machine, time passes between a check and what follows it.
        let isLate = end.map { request.clock.moment > $0 + .seconds(1) } ?? false
        let violation = state.withLock {
            $0.ledger.begin(request, shown: shown, &passage, isLate: isLate, isCancelled: Task.isCancelled)
        }
        tell(violation, request)
    }

    func end(_ request: TransportRequest, _ end: SendLedger.End, _ passage: inout SendLedger.Passage) {
        tell(state.withLock { $0.ledger.end(end, &passage) }, request)
    }

    /// Compares a call's record with what was handed over.
    func compare(_ records: [AttemptRecord], hasInterceptors: Bool) {
        let violation = state.withLock { $0.ledger.compare(records, hasInterceptors: hasInterceptors) }
        if let violation {
            assertionFailure("\(violation): \(records.map(\.description).joined(separator: " | "))")
        }
    }

    private func tell(_ violation: String?, _ request: TransportRequest) {
        if let violation { assertionFailure("\(violation): \(request)") }
    }

    private func watch(_ body: inout RequestBody) {
        guard case .stream(let stream) = body, let beginning = stream.identity else { return }
        body = .stream(
            stream.through { [self] offset, writer, own in
                try await own(
                    offset,
                    BodyWriter { [self] chunk in
                        if !chunk.isEmpty { state.withLock { $0.spent[ObjectIdentifier(beginning)] = beginning } }
                        try await writer.write(chunk)
                    }
                )
            }
        )
    }
}
#endif
