// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension CumulusError {
    /// Whether the same request may succeed a little later.
    ///
    /// This is true if the network failed, or if a time limit passed, except for the call's deadline and the maximum
    /// wait for a rate limit. It is also true if the server or a proxy reported that it is busy or unavailable: 408,
    /// 425, 429, 500, 502, 503, 504. Sending the request again may be unsafe; ``RetryPolicy`` checks that as well.
    public var isTransient: Bool { isTransient(StatusSet.transient.contains) }

    /// Returns the same, with another rule for statuses.
    func isTransient(_ mayBeTemporary: (HTTPResponse.Status) -> Bool) -> Bool {
        if let status = statusCode, !(200..<300).contains(status) {
            // The interrupted body may be that of an error response: its status decides.
            return (code.isTransient || code == .status || code == .service)
                && mayBeTemporary(HTTPResponse.Status(code: status))
        }
        if code == .proxy { return ((cause as? TransportFailure)?.cause as? ProxyRefusal)?.mayBeTemporary == true }
        return code.isTransient || code == .timeout && phase != .total && phase != .rateLimit
    }
}

extension ProxyRefusal {
    /// Whether the same request may succeed later: the proxy was busy, or could not reach the host.
    fileprivate var mayBeTemporary: Bool {
        switch reason {
        case .credentials: false
        case .status(let code): StatusSet.transient.contains(HTTPResponse.Status(code: code))
        // A general failure, and SOCKS 5 replies about networks, hosts and connections.
        case .reply(let code): code == 1 || 3...6 ~= code || code == 91
        }
    }
}

extension CumulusError.Code {
    /// Whether an operation that failed this way may succeed later.
    fileprivate var isTransient: Bool {
        [.lookup, .connect, .connectionClosed, .truncatedBody, .incomplete].contains(self)
    }
}

extension StatusSet {
    /// The statuses of a server that is temporarily busy or unavailable: 408, 425, 429, 500, 502, 503, 504.
    public static let transient: StatusSet = [
        .requestTimeout, .tooEarly, .tooManyRequests, .internalServerError, .badGateway, .serviceUnavailable,
        .gatewayTimeout,
    ]
}

extension CumulusError {
    /// Creates an error from a transport's failure; the failure's kind determines the code.
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
