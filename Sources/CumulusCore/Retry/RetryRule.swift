// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Whether an attempt that ended so may be made again: method, status or failure, what was sent, and the body.
struct RetryRule: Sendable {
    enum Finding: Sendable, Hashable {
        /// Nothing failed that may pass.
        case none
        case again
        case stop(RetryDecision.Obstacle)
    }

    let methods: Set<HTTPRequest.Method>
    let statuses: StatusSet

    /// Whether a status may pass.
    ///
    /// - Parameters:
    ///   - status: The answer's.
    ///   - request: What was answered so.
    ///   - isRepeated: Whether it was sent before: then 409 says that the server is still at the first one, by whose
    ///     `Idempotency-Key` it knows the second.
    /// - Returns: Whether it may.
    func mayPass(_ status: HTTPResponse.Status, of request: EncodedRequest, isRepeated: Bool) -> Bool {
        statuses.contains(status) || status == .conflict && isRepeated && request.idempotencyKey != nil
    }

    /// What an attempt's end leads to.
    ///
    /// - Parameters:
    ///   - outcome: How it ended.
    ///   - request: What was sent.
    ///   - isRepeated: Whether that was sent before.
    ///   - mayHaveArrived: Whether a server may have it whatever the error says, which may be of a hook's own request.
    /// - Returns: Whether it may be made again, and why not.
    func finding(
        _ outcome: AttemptRecord.Outcome,
        of request: EncodedRequest,
        isRepeated: Bool,
        mayHaveArrived: Bool = false
    ) -> Finding {
        var isUnsent = false
        switch outcome {
        case .answered(let status):
            guard mayPass(status, of: request, isRepeated: isRepeated) else { return .none }
        case .failed(let error):
            guard let error = error as? CumulusError, error.isTransient else { return .none }
            isUnsent = !mayHaveArrived && RetryRule.isUnsent(error)
        }
        guard isUnsent || methods.contains(request.method) || request.idempotencyKey != nil else {
            return .stop(.method(request.method))
        }
        return request.body.canBeSent ? .again : .stop(.body)
    }

    /// Whether nothing of the request can have reached the server: no connection was made, no proxy led there, and the
    /// transport says so.
    static func isUnsent(_ error: any Error) -> Bool {
        guard let failure = (error as? CumulusError)?.cause as? TransportFailure, failure.sent == .nothing else {
            return false
        }
        return switch failure.kind {
        case .lookup, .connect, .proxy, .timeout(.connect), .timeout(.poolWait): true
        default: false
        }
    }
}
