// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Whether an attempt may be repeated: by its method, its status or failure, whether it was sent, and its body.
struct RetryRule: Sendable {
    enum Finding: Sendable, Hashable {
        /// There was no temporary failure.
        case none
        case again
        case stop(RetryDecision.Obstacle)
    }

    let methods: Set<HTTPRequest.Method>
    let statuses: StatusSet

    /// Whether a status may be temporary.
    ///
    /// - Parameters:
    ///   - status: The response's status.
    ///   - request: The request.
    ///   - isRepeated: Whether it was sent before: then 409 means that the server is still processing the first one,
    ///     and recognizes the second by its `Idempotency-Key`.
    ///   - isLimited: Whether the server says when to come again: then 403 means the same as 429.
    /// - Returns: Whether it may be temporary.
    func mayPass(
        _ status: HTTPResponse.Status,
        of request: EncodedRequest,
        isRepeated: Bool,
        isLimited: Bool = false
    ) -> Bool {
        statuses.contains(status) || status == .conflict && isRepeated && request.idempotencyKey != nil
            || status == .forbidden && isLimited && statuses.contains(.tooManyRequests)
    }

    /// Evaluates an attempt's outcome.
    ///
    /// - Parameters:
    ///   - outcome: The attempt's outcome.
    ///   - request: The request.
    ///   - isRepeated: Whether it was sent before.
    ///   - mayHaveArrived: Whether a server may have it regardless of the error, which may be from a hook's own
    ///     request.
    ///   - isLimited: Whether the response says when to come again.
    /// - Returns: Whether it may be repeated, and if not, why.
    func finding(
        _ outcome: AttemptRecord.Outcome,
        of request: EncodedRequest,
        isRepeated: Bool,
        mayHaveArrived: Bool = false,
        isLimited: Bool = false
    ) -> Finding {
        var isUnsent = false
        switch outcome {
        case .answered(let status):
            guard mayPass(status, of: request, isRepeated: isRepeated, isLimited: isLimited) else { return .none }
        case .failed(let error):
            guard let error = error as? CumulusError, error.isTransient else { return .none }
            isUnsent = !mayHaveArrived && RetryRule.isUnsent(error)
        }
        guard isUnsent || methods.contains(request.method) || request.idempotencyKey != nil else {
            return .stop(.method(request.method))
        }
        return request.body.canBeSent ? .again : .stop(.body)
    }

    /// Whether nothing of the request can have reached the server, or the server said that it had not read it: no
    /// connection was made, no proxy led there, and the transport confirms it.
    static func isUnsent(_ error: any Error) -> Bool {
        guard let failure = (error as? CumulusError)?.cause as? TransportFailure, failure.sent == .nothing else {
            return false
        }
        return switch failure.kind {
        case .lookup, .connect, .proxy, .timeout(.connect), .timeout(.poolWait): true
        // Not just closed: each time, the server said that it had not read the request.
        case .connectionClosed: failure.repetitions.refusals > 0 && failure.repetitions.closures == 0
        default: false
        }
    }
}
