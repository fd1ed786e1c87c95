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
            isUnsent = !mayHaveArrived && error.isUnsent
        }
        let fate = isUnsent ? TransportFailure.Fate.unsent : .unknown
        let isIdempotent = methods.contains(request.method) || request.idempotencyKey != nil
        if fate.permitsRepeating(isIdempotent: isIdempotent, request.body) { return .again }
        return isUnsent || isIdempotent ? .stop(.body) : .stop(.method(request.method))
    }
}
