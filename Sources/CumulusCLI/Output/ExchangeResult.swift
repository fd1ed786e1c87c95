// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// The data of a finished exchange.
struct ExchangeResult {
    let head: ResponseHead
    let method: String
    /// The final URL, without secrets unless they are shown.
    let url: String
    let elapsed: Duration
    let facts: ExchangeFacts
    let redirects: Int
    /// The requests of the call.
    var attempts: [AttemptRecord] = []

    /// A value as text; empty if it is unknown.
    func text(_ value: ResultValue) -> String {
        switch value {
        case .status: "\(head.status.code)"
        case .reason: head.status.reasonPhrase
        case .method: method
        case .url: url
        case .type: head.headers[.contentType] ?? ""
        case .protocol: facts.protocolName ?? head.protocolName ?? ""
        case .remote: facts.remoteAddress ?? ""
        case .redirects: "\(redirects)"
        case .attempts: "\(attempts.last?.number ?? 1)"
        case .reused: "\(facts.isReused)"
        case .timeTotal: ExchangeResult.seconds(elapsed)
        case .timeQueue: ExchangeResult.seconds(facts.phases.queue)
        case .timeLookup: ExchangeResult.seconds(facts.phases.lookup)
        case .timeConnect: ExchangeResult.seconds(facts.phases.connect)
        case .timeTLS: ExchangeResult.seconds(facts.phases.tls)
        case .timeFirstByte: ExchangeResult.seconds(facts.phases.firstByte)
        case .timeLastByte: ExchangeResult.seconds(facts.phases.lastByte)
        case .sizeSent: "\(facts.bytesSent)"
        case .sizeReceived: "\(facts.bytesReceived)"
        case .tlsVersion: facts.tls?.version ?? ""
        case .tlsCipher: facts.tls?.cipherSuite.map(\.description) ?? ""
        case .certificateSubject: facts.tls?.certificate?.subject ?? ""
        case .certificateIssuer: facts.tls?.certificate?.issuer ?? ""
        case .certificateExpiry: facts.tls?.certificate.flatMap { ISO8601Date.text($0.expires) } ?? ""
        }
    }

    /// A field of the response; empty if there is none.
    func header(_ name: String) -> String { HTTPField.Name(name).flatMap { head.receivedHeaders[$0] } ?? "" }

    /// All values, as an object.
    var json: JSON {
        var members: [(String, JSON)] = []
        for value in ResultValue.allCases {
            let text = text(value)
            if text.isEmpty { continue }
            switch value {
            case .reason, .method, .url, .type, .protocol, .remote, .tlsVersion, .tlsCipher, .certificateSubject,
                .certificateIssuer, .certificateExpiry:
                members.append((value.rawValue, .string(text)))
            case .reused: members.append((value.rawValue, .bool(text == "true")))
            default: members.append((value.rawValue, JSON.Number(text: text).map(JSON.number) ?? .string(text)))
            }
        }
        return .object(JSON.Object(members))
    }

    /// A time in seconds with six decimals, as in curl.
    private static func seconds(_ time: Duration?) -> String {
        guard let time else { return "" }
        let (seconds, attoseconds) = time.components
        let digits = "\(attoseconds / 1_000_000_000_000)"
        return "\(seconds).\(String(repeating: "0", count: max(0, 6 - digits.utf8.count)))\(digits)"
    }
}
