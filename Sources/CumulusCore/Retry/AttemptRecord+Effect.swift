// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension AttemptRecord {
    /// Whether a server may have carried out a request of this attempt without the caller getting its response: the
    /// connection broke, a time limit passed, or a gateway got no response itself.
    package var mayHaveTakenEffect: Bool {
        if hasLostAnswer || repetitions.closures > 0 { return true }
        return switch outcome {
        case .answered(let status): status == .badGateway || status == .gatewayTimeout
        case .failed(let error): !RetryRule.isUnsent(error)
        }
    }
}

extension Response {
    /// Whether a server may have carried out the request although its response was lost, so that this response may be the
    /// answer to a repetition.
    package var mayAnswerARepetition: Bool { attempts.contains(where: \.mayHaveTakenEffect) }
}
