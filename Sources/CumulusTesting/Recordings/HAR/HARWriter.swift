// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes exchanges as entries of a HAR file (HTTP Archive 1.2), without secrets.
struct HARWriter {
    let options: RecordingOptions

    /// The facts of an exchange that only its entry has.
    struct Circumstances: Sendable {
        var started = Date()
        var elapsed = Duration.zero
        var requestBodySize: Int64 = 0
        var bodySize: Int64 = 0
        var phases = ExchangeFacts.Phases()
    }

    /// The bytes of a file before its entries and after them.
    static let frame = (
        begin: Array(#"{"log":{"version":"1.2","creator":{"name":"Cumulus","version":"0.1"},"entries":["#.utf8),
        end: Array("\n]}}\n".utf8)
    )

    /// The member of an entry whose place is not its position.
    static let order = "_order"

    /// An entry at a position of the file, with the place of its exchange in the order in which exchanges began.
    static func entry(_ entry: JSON, place: Int, position: Int) -> JSON {
        guard place != position, var members = entry.object else { return entry }
        members[order] = JSON(place)
        return .object(members)
    }

    /// An entry of the file.
    func entry(_ exchange: RecordedExchange, _ circumstances: Circumstances) -> JSON {
        let isHTTP2: Bool
        if case .response(_, _, let name?, _, _) = exchange.outcome {
            isHTTP2 = name == "HTTP/2"
        } else {
            isHTTP2 = false
        }
        return [
            "startedDateTime": .string(ISO8601Date.text(circumstances.started) ?? "1970-01-01T00:00:00Z"),
            "time": milliseconds(circumstances.elapsed),
            "request": request(exchange, isHTTP2 ? "HTTP/2" : "HTTP/1.1", circumstances),
            "response": response(exchange, circumstances),
            "cache": [:],
            "timings": timings(circumstances),
        ]
    }

    private func request(_ exchange: RecordedExchange, _ version: String, _ circumstances: Circumstances) -> JSON {
        let url = options.includesSecrets ? exchange.url : RecordedURL.shown(exchange.url, options)
        let query = QueryPairs.parsed(url.cut(at: "?").map { String($0.behind) }).map { pair -> JSON in
            ["name": .string(pair.name), "value": .string(pair.value ?? "")]
        }
        var request: JSON.Object = [
            "method": .string(exchange.method), "url": .string(url), "httpVersion": .string(version), "cookies": [],
            "headers": fields(exchange.headers, isResponse: false), "queryString": .array(query), "headersSize": -1,
            "bodySize": JSON(circumstances.requestBodySize),
        ]
        if exchange.body != .empty {
            let type = exchange.headers[.contentType] ?? ""
            request["postData"] = content(exchange.body, type, size: circumstances.requestBodySize)
        }
        return .object(request)
    }

    private func response(_ exchange: RecordedExchange, _ circumstances: Circumstances) -> JSON {
        var response = finalResponse(exchange.outcome, circumstances)
        if !exchange.informational.isEmpty {
            let early = exchange.informational.map { response -> JSON in
                [
                    "status": JSON(response.status.code), "statusText": .string(response.status.reasonPhrase),
                    "headers": fields(response.headerFields, isResponse: true),
                ]
            }
            response["_informational"] = .array(early)
        }
        return .object(response)
    }

    private func finalResponse(_ outcome: RecordedExchange.Outcome, _ circumstances: Circumstances) -> JSON.Object {
        switch outcome {
        case .failed(let failure): return noResponse(failure)
        case .cancelled: return noResponse(nil)
        case .response(let status, let headers, let protocolName, let body, let ending):
            var response: JSON.Object = [
                "status": JSON(status.code), "statusText": .string(status.reasonPhrase),
                "httpVersion": .string(protocolName ?? ""), "cookies": [],
                "headers": fields(headers, isResponse: true),
                "content": content(body, headers[.contentType] ?? "", size: circumstances.bodySize),
                "redirectURL": .string(headers[.location].map { shown($0, of: "location", isResponse: true) } ?? ""),
                "headersSize": -1, "bodySize": JSON(circumstances.bodySize),
            ]
            switch ending {
            case .complete(let trailers):
                if !trailers.isEmpty { response["_trailers"] = fields(trailers, isResponse: true) }
            case .failed(let failure): addFailure(failure, to: &response)
            case .cancelled: addFailure(nil, to: &response)
            }
            return response
        }
    }

    private func noResponse(_ failure: TransportFailure?) -> JSON.Object {
        var response: JSON.Object = [
            "status": 0, "statusText": "", "httpVersion": "", "cookies": [], "headers": [],
            "content": ["size": 0, "mimeType": ""], "redirectURL": "", "headersSize": -1, "bodySize": -1,
        ]
        addFailure(failure, to: &response)
        return response
    }

    private func addFailure(_ failure: TransportFailure?, to response: inout JSON.Object) {
        guard let failure else {
            response["_error"] = "cancelled"
            response["_failure"] = ["kind": "cancelled"]
            return
        }
        let message = options.includesSecrets ? failure.message : SecretRedaction.fieldText(failure.message)
        response["_error"] = .string(message)
        var details: JSON.Object = [
            "kind": .string(failure.kind.recordedName), "fate": .string(failure.fate.recordedName),
        ]
        if failure.connectionHadServed { details["connectionHadServed"] = true }
        response["_failure"] = .object(details)
    }

    // MARK: Parts

    private func content(_ body: RecordedBody, _ type: String, size: Int64) -> JSON {
        var content: JSON.Object = ["size": JSON(size), "mimeType": .string(type)]
        switch body {
        case .empty: content["size"] = 0
        case .text(let text):
            content["size"] = JSON(text.utf8.count)
            content["text"] = .string(text)
        case .binary(let bytes):
            content["size"] = JSON(bytes.count)
            content["text"] = .string(Data(bytes).base64EncodedString())
            content["encoding"] = "base64"
        case .file(let name, let length):
            content["size"] = JSON(length)
            content["_file"] = .string(name)
        case .omitted(let reason):
            content["_omitted"] = .string(reason)
            content["comment"] = .string("The body was not recorded: \(reason).")
        }
        return .object(content)
    }

    private func fields(_ fields: HTTPFields, isResponse: Bool) -> JSON {
        .array(
            fields.map { field in
                let name = field.name.rawName
                return [
                    "name": .string(name),
                    "value": .string(shown(field.value, of: name, isResponse: isResponse)),
                ]
            }
        )
    }

    private func shown(_ value: String, of name: String, isResponse: Bool) -> String {
        if options.includesSecrets { return value }
        if options.hides(name) { return "<redacted>" }
        let shown = SecretRedaction.value(value, of: name, isResponse: isResponse, hiding: options.hides)
        let lower = name.lowercased()
        // A client follows these.
        if lower == "location" || lower == "content-location" { return RecordedURL.shown(value, options) }
        if shown != value || HARWriter.structured.contains(lower) { return shown }
        return SecretRedaction.fieldText(value)
    }

    /// Fields whose parameters have names like those of secrets, and values that aren't.
    private static let structured: Set<String> = [
        "www-authenticate", "proxy-authenticate", "set-cookie", "link", "content-type", "content-disposition", "vary",
        "accept", "accept-encoding", "cache-control", "content-security-policy",
    ]

    private func timings(_ circumstances: Circumstances) -> JSON {
        let phases = circumstances.phases
        let before = [phases.queue, phases.lookup, phases.connect, phases.tls]
        let first = phases.firstByte ?? circumstances.elapsed
        let wait = before.compactMap(\.self).reduce(first, -)
        return [
            "blocked": before[0].map(milliseconds) ?? -1, "dns": before[1].map(milliseconds) ?? -1,
            "connect": before[2].map(milliseconds) ?? -1, "ssl": before[3].map(milliseconds) ?? -1, "send": 0,
            "wait": milliseconds(max(.zero, wait)),
            "receive": milliseconds(max(.zero, circumstances.elapsed - first)),
        ]
    }

    private func milliseconds(_ duration: Duration) -> JSON {
        let (seconds, attoseconds) = duration.components
        return JSON((Double(seconds) * 1e6 + Double(attoseconds / 1_000_000_000_000)).rounded() / 1e3)
    }
}
