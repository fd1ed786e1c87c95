// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// An exchange of a recording.
struct RecordedExchange: Sendable {
    /// How a response's body ended.
    enum Ending: Sendable {
        /// To its end, with these trailers.
        case complete(HTTPFields)
        case failed(TransportFailure)
        /// The reader didn't want the remaining bytes, or the call was cancelled.
        case cancelled
    }

    /// The response, or why it is missing.
    enum Outcome: Sendable {
        case response(status: HTTPResponse.Status, HTTPFields, protocolName: String?, RecordedBody, Ending)
        case failed(TransportFailure)
        /// The call was cancelled before a response.
        case cancelled
    }

    let method: String
    /// The URL, which may have secrets.
    let url: String
    let headers: HTTPFields
    let body: RecordedBody
    /// The informational responses (1xx) before the outcome.
    var informational: [HTTPResponse] = []
    let outcome: Outcome
    /// The place in the file.
    let jsonPath: String
}

extension TransportFailure.Kind {
    /// The kinds that a recording names, by their names in the file.
    private static let names: [(String, TransportFailure.Kind)] = [
        ("invalidRequest", .invalidRequest), ("unsupported", .unsupported), ("lookup", .lookup),
        ("connect", .connect), ("forbiddenAddress", .forbiddenAddress), ("proxy", .proxy), ("tls", .tls),
        ("timeout.poolWait", .timeout(.poolWait)), ("timeout.connect", .timeout(.connect)),
        ("timeout.response", .timeout(.response)), ("timeout.idle", .timeout(.idle)),
        ("timeout.rate", .timeout(.rate)), ("timeout.rateLimit", .timeout(.rateLimit)),
        ("timeout.total", .timeout(.total)), ("connectionClosed", .connectionClosed), ("truncated", .truncated),
        ("malformedResponse", .malformedResponse), ("headerTooLarge", .headerTooLarge),
        ("requestBody", .requestBody), ("shutdown", .shutdown), ("invalidUse", .invalidUse), ("other", .other),
    ]

    /// The name in a recording.
    var recordedName: String { Self.names.first { $0.1 == self }?.0 ?? "other" }

    /// The kind of a name in a recording; `nil` if it is unknown.
    init?(recordedName: String) {
        guard let kind = Self.names.first(where: { $0.0 == recordedName })?.1 else { return nil }
        self = kind
    }
}

extension TransportFailure.Fate {
    /// The name in a recording.
    var recordedName: String {
        switch self {
        case .unsent: "unsent"
        case .unprocessed: "unprocessed"
        case .unknown: "unknown"
        }
    }

    /// The fate of a name in a recording; `nil` if it is unknown.
    init?(recordedName: String) {
        switch recordedName {
        case "unsent": self = .unsent
        case "unprocessed": self = .unprocessed
        case "unknown": self = .unknown
        default: return nil
        }
    }
}
