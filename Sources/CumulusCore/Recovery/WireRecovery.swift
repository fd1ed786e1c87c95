// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// What follows an exchange within one attempt: the same request once more, on another connection, or nothing.
///
/// A value without I/O, clock or user code. The attempt keeps its slot, its turn and its proof meanwhile, and its
/// interceptors see nothing of it.
struct WireRecovery: Sendable {
    /// The request once more.
    struct Again: Sendable, Hashable {
        let reason: AttemptRecord.Reason
        var connection = TransportRequest.Connection.any
        /// Whether the body is sent without asking.
        var dropsExpectation = false

        func change(_ request: inout TransportRequest) {
            request.connection = connection
            if dropsExpectation { request.expectsContinue = nil }
        }
    }

    /// How often a request is sent again within an attempt.
    ///
    /// Refusals on a connection that served others don't count: a server that ends each connection after a few requests
    /// may refuse one of many waiting requests any number of times, and makes progress each time.
    static let limit = 3
    /// How often such a server may refuse a request, whatever progress it claims.
    static let mostRefusals = 1_000

    private var count = 0
    private var refusals = 0
    private var hasMetWrongServer = false
    private var hasMetTimeout = false

    /// Whether a response with a status may be followed by the same request.
    static func concerns(_ status: HTTPResponse.Status) -> Bool {
        switch status.code {
        case 408, 417, 421: true
        default: false
        }
    }

    /// What follows an exchange.
    mutating func next(after end: ExchangeOutcome, of request: TransportRequest) -> Again? {
        switch end {
        case .answered(let answer): next(after: answer.head, to: request)
        case .failed(let failure): next(after: failure, of: request)
        }
    }

    private mutating func next(after failure: TransportFailure, of request: TransportRequest) -> Again? {
        guard mayRepeat(request, after: failure.fate) else { return nil }
        if failure.fate == .unprocessed {
            guard failure.connectionHadServed ? refusals < Self.mostRefusals : take() else { return nil }
            refusals += 1
            return Again(reason: .unprocessed)
        }
        // One that was new would fail again; one that was kept may just have been closed.
        guard failure.connectionHadServed, failure.kind == .connectionClosed, take() else { return nil }
        return Again(reason: .staleConnection, connection: .new)
    }

    private mutating func next(after head: ResponseHead, to request: TransportRequest) -> Again? {
        switch head.status.code {
        case 417:
            // The expectation was refused, not the request (RFC 9110 section 15.5.18). If the server let the body wait
            // too long, some of it may have been sent: then only a replayable one is sent again.
            guard request.expectsContinue != nil, request.body.length != 0, request.body.canBeSent, take() else {
                return nil
            }
            return Again(reason: .expectation, dropsExpectation: true)
        case 421:
            // RFC 9110 section 15.5.20: any method, over a different connection.
            guard !hasMetWrongServer, request.body.canBeSent, take() else { return nil }
            hasMetWrongServer = true
            return Again(reason: .misdirected, connection: .new)
        case 408:
            // RFC 9110 section 15.5.9: a server may say so of a connection that it closes. Some say it of their own work,
            // so what isn't idempotent isn't repeated.
            guard !hasMetTimeout, head.connectionHadServed, mayRepeat(request, after: .unknown), take() else {
                return nil
            }
            hasMetTimeout = true
            return Again(reason: .requestTimeout, connection: .new)
        default:
            return nil
        }
    }

    private mutating func take() -> Bool {
        guard count < Self.limit else { return false }
        count += 1
        return true
    }

    private func mayRepeat(_ request: TransportRequest, after fate: TransportFailure.Fate) -> Bool {
        fate.permitsRepeating(isIdempotent: request.isIdempotent, request.body)
    }
}

extension TransportRequest {
    /// Whether sending it twice has the same effect as sending it once: an idempotent method (RFC 9110 section 9.2.2), or
    /// an `Idempotency-Key`.
    public var isIdempotent: Bool {
        RetryPolicy.idempotentMethods.contains(method) || headers.idempotencyKey != nil
    }
}
