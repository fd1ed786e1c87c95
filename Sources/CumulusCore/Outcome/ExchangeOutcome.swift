// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The outcome of one exchange, as the transport reported it.
enum ExchangeOutcome: Sendable {
    case responded(TransportResponse)
    case failed(TransportFailure)

    /// The outcome for the call's record.
    func outcome(of request: EncodedRequest) -> AttemptRecord.Outcome {
        switch self {
        case .responded(let answer): .responded(answer.head.status)
        case .failed(let failure): .failed(CumulusError(failure, stage: .transmission, request: request))
        }
    }

    /// The response; throws the failure.
    func get() throws -> TransportResponse {
        switch self {
        case .responded(let answer): return answer
        case .failed(let failure): throw failure
        }
    }
}

extension AttemptRecord.Outcome {
    /// Whether a server may have received the request.
    var mayHaveArrived: Bool {
        switch self {
        case .responded: true
        case .failed(let error): (error as? CumulusError)?.isUnsent != true
        }
    }

    /// Whether a server may have carried out the request although its response was lost: the connection broke, a time
    /// limit passed, or a gateway received no response itself.
    var mayHaveTakenEffect: Bool {
        switch self {
        case .responded(let status): status == .badGateway || status == .gatewayTimeout
        case .failed(let error): (error as? CumulusError)?.isUnsent != true
        }
    }
}

extension CumulusError {
    /// Whether the transport reports that the server has not processed the request.
    var isUnsent: Bool { (cause as? TransportFailure).map { $0.fate != .unknown } ?? false }
}
