// SPDX-License-Identifier: Apache-2.0

extension CumulusError {
    /// Makes an error from a transport's failure, whose kind becomes the code.
    public init(_ failure: TransportFailure, stage: RequestStage, request: EncodedRequest? = nil) {
        let code: Code =
            switch failure.kind {
            case .invalidRequest: .invalidRequest
            case .unsupported: .unsupported
            case .lookup: .lookup
            case .connect: .connect
            case .forbiddenAddress: .addressRefused
            case .proxy: .proxy
            case .tls: .tls
            case .timeout: .timeout
            case .connectionClosed: .connectionClosed
            case .truncated: .truncatedBody
            case .malformedResponse: .malformedResponse
            case .headerTooLarge: .headerTooLarge
            case .requestBody: .requestBody
            case .shutdown: .shutdown
            case .invalidUse, .other: .transport
            }
        self.init(code, stage: stage, failure.message, request: request, cause: failure)
    }
}
