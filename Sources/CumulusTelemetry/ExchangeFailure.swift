// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The reason why an exchange failed, without any text from the request or the response.
struct ExchangeFailure: Sendable, Hashable {
    /// The value of `error.type`.
    let type: String
    /// The description of the span's status.
    let summary: String

    /// The failure of an error; `nil` for a cancellation, unless the call's deadline caused it.
    init?(_ error: any Error, deadline: ContinuousClock.Instant?, on clock: any RequestClock) {
        switch error {
        case is CancellationError:
            guard let deadline, clock.now >= deadline else { return nil }
            self.init(.timeout(.total))
        case let failure as TransportFailure: self.init(failure.kind)
        default:
            let name = String(reflecting: Swift.type(of: error))
            self.init(type: name, summary: name)
        }
    }

    private init(_ kind: TransportFailure.Kind) { self.init(type: kind.errorType, summary: kind.description) }

    private init(type: String, summary: String) { (self.type, self.summary) = (type, summary) }
}

extension TransportFailure.Kind {
    /// The code's name in `error.type`, such as `connect` or `timeout`.
    fileprivate var errorType: String {
        switch self {
        case .invalidRequest: "invalid_request"
        case .unsupported: "unsupported"
        case .lookup: "lookup"
        case .connect: "connect"
        case .forbiddenAddress: "forbidden_address"
        case .proxy: "proxy"
        case .tls: "tls"
        case .timeout: "timeout"
        case .connectionClosed: "connection_closed"
        case .truncated: "truncated"
        case .malformedResponse: "malformed_response"
        case .headerTooLarge: "header_too_large"
        case .requestBody: "request_body"
        case .shutdown: "shutdown"
        case .invalidUse: "invalid_use"
        case .other: "_OTHER"
        }
    }
}
