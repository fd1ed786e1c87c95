// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The error of every failed request, except for cancellation, which is Swift's `CancellationError`.
///
/// ``code`` identifies the failure, ``stage`` is the stage at which it occurred, and ``request`` is the request. No
/// description shows a password, a token, a query value or a body.
public struct CumulusError: Error, Sendable {
    /// The code of the failure.
    public let code: Code
    /// The stage of the pipeline that failed.
    public let stage: RequestStage
    /// A description of what was wrong and where.
    public let message: String
    /// The request, if it had been created.
    public private(set) var request: EncodedRequest?
    /// The response, if one arrived; it includes the body for ``Code/status``.
    public private(set) var response: Response?
    /// The phase whose limit passed, for ``Code/timeout``.
    public let phase: TransportFailure.Phase?
    /// The allowed time, for ``Code/timeout``.
    public let limit: Duration?
    /// The elapsed time, for ``Code/timeout``.
    public let elapsed: Duration?
    /// The underlying error, if any.
    public let cause: (any Error)?
    /// The attempts, if there were several, or a retry was considered; the failed attempt is last.
    public private(set) var attempts: [AttemptRecord] = []
    /// The number of the exchange that failed, in the record of a call that continues; `nil` for any other error.
    var exchange: Int?

    /// Creates an error.
    public init(
        _ code: Code,
        stage: RequestStage,
        _ message: String,
        request: EncodedRequest? = nil,
        response: Response? = nil,
        cause: (any Error)? = nil
    ) {
        let failure = cause as? TransportFailure
        self.code = code
        self.stage = stage
        // The author of the message may have quoted a peer.
        self.message = PeerText.printable(message, limit: PeerText.longestMessage)
        self.request = request
        self.response = response
        self.cause = cause
        self.limit = failure?.limit
        self.elapsed = failure?.elapsed
        if case .timeout(let phase)? = failure?.kind { self.phase = phase } else { self.phase = nil }
    }

    /// The response's status, if a response arrived.
    public var statusCode: Int? { response?.status.code }

    /// The same error, with the request for which it was thrown.
    func asking(_ request: EncodedRequest?) -> CumulusError {
        var error = self
        error.request = request
        return error
    }

    /// The same error at the end of several attempts.
    func after(_ attempts: [AttemptRecord]) -> CumulusError {
        guard self.attempts.isEmpty else { return self }
        var error = self
        error.attempts = attempts
        error.response = response?.after(attempts)
        return error
    }

    /// The same error, with the response whose body failed.
    func of(_ response: Response) -> CumulusError {
        CumulusError(
            code,
            stage: stage,
            "the server responded with \(ResponseJudge.name(response.status)), but its body could not be read: \(message)",
            request: request,
            response: response,
            cause: cause
        )
    }
}

extension CumulusError: Redacted, LocalizedError {
    /// The code, request and message on one line, without secrets.
    ///
    /// For a time limit, it includes the phase. For a temporary failure that was not retried, it includes the reason.
    public var description: String { text(message) }

    /// The description with another message.
    func text(_ message: String) -> String {
        let target = request.map { " \($0.method.rawValue) \($0.redactedURL)" } ?? ""
        let limit = phase.map { " (\($0))" } ?? ""
        let retry = attempts.last?.retry?.obstacle.map { " (\($0))" } ?? ""
        return "\(code)\(limit)\(target): \(message)\(retry)"
    }

    /// The description, in English, which Foundation uses for an `any Error`.
    public var errorDescription: String? { description }

    /// The description, in English; available without importing Foundation.
    public var localizedDescription: String { description }
}
