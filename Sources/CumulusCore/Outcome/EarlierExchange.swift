// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// How one exchange ended, as the transport said.
enum ExchangeOutcome: Sendable {
    case answered(TransportResponse)
    case failed(TransportFailure)

    /// For the record.
    func outcome(of request: EncodedRequest) -> AttemptRecord.Outcome {
        switch self {
        case .answered(let answer): .answered(answer.head.status)
        case .failed(let failure): .failed(CumulusError(failure, stage: .transmission, request: request))
        }
    }

    /// The end of the attempt, which has the exchanges before the last one.
    func last(after earlier: EarlierExchanges, of request: EncodedRequest) throws -> TransportResponse {
        switch self {
        case .answered(let answer):
            if earlier.isEmpty { return answer }
            return TransportResponse(head: answer.head.after(earlier), body: answer.body)
        case .failed(let failure):
            if earlier.isEmpty { throw failure }
            throw CumulusError(failure, stage: .transmission, request: request).after(exchanges: earlier)
        }
    }
}

/// The exchanges of an attempt before its last one: the first and the last of them, and how many there were.
struct EarlierExchanges: Sendable {
    private struct Parts: Sendable {
        var kept: [(number: Int, exchange: EarlierExchange)] = []
        var count = 0
        var mayHaveArrived = false
        var mayHaveTakenEffect = false
    }

    // Nearly all attempts have none.
    private var parts: Shared<Parts>?

    var kept: [(number: Int, exchange: EarlierExchange)] { parts?.value.kept ?? [] }
    var isEmpty: Bool { parts == nil }
    /// Whether the server may have the request from one of them.
    var mayHaveArrived: Bool { parts?.value.mayHaveArrived ?? false }
    /// Whether the server may have carried it out, and its response was lost.
    var mayHaveTakenEffect: Bool { parts?.value.mayHaveTakenEffect ?? false }

    mutating func append(_ exchange: EarlierExchange) {
        change { parts in
            parts.count += 1
            AttemptRecord.append((parts.count, exchange), to: &parts.kept)
            if exchange.outcome.mayHaveArrived { parts.mayHaveArrived = true }
            if exchange.mayHaveTakenEffect { parts.mayHaveTakenEffect = true }
        }
    }

    /// Appends exchanges that were made later.
    mutating func append(_ later: EarlierExchanges) {
        guard let later = later.parts?.value else { return }
        change { parts in
            for (number, exchange) in later.kept {
                AttemptRecord.append((parts.count + number, exchange), to: &parts.kept)
            }
            parts.count += later.count
            if later.mayHaveArrived { parts.mayHaveArrived = true }
            if later.mayHaveTakenEffect { parts.mayHaveTakenEffect = true }
        }
    }

    private mutating func change(_ change: (inout Parts) -> Void) {
        var changed = parts ?? Shared(Parts())
        parts = nil
        change(&changed.value)
        parts = changed
    }
}

/// An exchange after which its attempt sent the same request once more, or one for the rest of its body.
struct EarlierExchange: Sendable {
    let outcome: AttemptRecord.Outcome
    let ended: Moment
    /// When the next one began, after a pause.
    let nextBegan: Moment
    /// Why there is a next one.
    let next: AttemptRecord.Reason

    init(
        outcome: AttemptRecord.Outcome,
        ended: Moment,
        nextBegan: Moment? = nil,
        next: AttemptRecord.Reason
    ) {
        self.outcome = outcome
        self.ended = ended
        self.nextBegan = nextBegan ?? ended
        self.next = next
    }

    /// Whether the server may have carried out the request, and its response was lost; a 408 may be about work that was
    /// begun.
    var mayHaveTakenEffect: Bool { outcome.mayHaveTakenEffect || next == .requestTimeout }
}

extension AttemptRecord {
    /// How many of the first, and of the last, are kept.
    private static var kept: (first: Int, last: Int) { (8, 24) }

    /// Appends a record, and drops one in the middle if there are too many: a call may go on for days.
    static func append<Record>(_ record: Record, to all: inout [Record]) {
        all.append(record)
        if all.count > kept.first + kept.last { all.remove(at: kept.first) }
    }
}

extension AttemptRecord.Outcome {
    /// Whether a server may have the request.
    var mayHaveArrived: Bool {
        switch self {
        case .answered: true
        case .failed(let error): (error as? CumulusError)?.isUnsent != true
        }
    }

    /// Whether a server may have carried out the request without the caller getting its response: the connection broke, a
    /// time limit passed, or a gateway got no response itself.
    var mayHaveTakenEffect: Bool {
        switch self {
        case .answered(let status): status == .badGateway || status == .gatewayTimeout
        case .failed(let error): (error as? CumulusError)?.isUnsent != true
        }
    }
}

extension CumulusError {
    /// Whether the transport says, of each exchange of the attempt, that the server has not processed the request.
    var isUnsent: Bool {
        guard let failure = cause as? TransportFailure else { return false }
        return failure.fate != .unknown && !earlier.mayHaveTakenEffect
    }
}
