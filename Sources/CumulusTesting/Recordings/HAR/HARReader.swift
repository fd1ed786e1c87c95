// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads HAR files (HTTP Archive 1.2), also those of browsers and proxies, which leave out or add members.
struct HARReader {
    /// The longest file, in bytes.
    static let limit: Int64 = 64 << 20

    let file: String

    /// The file's exchanges in order, and the JSON of its entries.
    ///
    /// Entries of other protocols, such as WebSocket messages or `data:` URLs, are skipped.
    func read() throws(RecordingProblem) -> (exchanges: [RecordedExchange], entries: [JSON]) {
        var bytes = try contents()
        // A byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let log = try HARValue(json: json(bytes), path: "$", file: file).required("log")
        let entries = try ordered(log.required("entries").elements())
        var exchanges: [RecordedExchange] = []
        for entry in entries {
            if let exchange = try exchange(entry) { exchanges.append(exchange) }
        }
        let plain = entries.map { entry -> JSON in
            var members = entry.json.object ?? [:]
            members[HARWriter.order] = nil
            return .object(members)
        }
        return (exchanges, plain)
    }

    /// The file's JSON; after a process was killed while it recorded, the JSON up to its last whole entry.
    private func json(_ bytes: [UInt8]) throws(RecordingProblem) -> JSON {
        do {
            return try JSON(parsing: bytes)
        } catch {
            // A new entry stands behind the ending until it is whole.
            if let ending = bytes.firstRange(of: HARWriter.frame.end),
                let json = try? JSON(parsing: Array(bytes[..<ending.upperBound]))
            {
                return json
            }
            throw RecordingProblem(.malformed, file, at: "$", "it is not valid JSON: \(error)")
        }
    }

    /// The entries in the order in which their exchanges began.
    private func ordered(_ entries: [HARValue]) throws(RecordingProblem) -> [HARValue] {
        var places: [(place: Int, position: Int)] = []
        for (position, entry) in entries.enumerated() {
            places.append((try entry.member(HARWriter.order)?.integer() ?? position, position))
        }
        return places.sorted { $0 < $1 }.map { entries[$0.position] }
    }

    private func contents() throws(RecordingProblem) -> [UInt8] {
        var (bytes, isTooLong) = ([] as [UInt8], false)
        do throws(OpenedFile.Refusal) {
            let opened = try OpenedFile(file)
            let size = try opened.size()
            isTooLong = size > HARReader.limit
            while !isTooLong, bytes.count < size {
                let more = try opened.read(at: Int64(bytes.count), count: Int(size) - bytes.count)
                if more.isEmpty { break }
                bytes += more
            }
        } catch {
            throw RecordingProblem(.unreadable, file, "it \(error.reason)")
        }
        if isTooLong { throw RecordingProblem(.unreadable, file, "it is longer than 64 MiB") }
        return bytes
    }

    private func exchange(_ entry: HARValue) throws(RecordingProblem) -> RecordedExchange? {
        let request = try entry.required("request")
        let method = try request.required("method").text()
        let url = try request.required("url").text()
        let headers = try request.fields("headers")
        let body = try content(request.member("postData"))
        guard let outcome = try outcome(entry, to: method), method != "CONNECT" else { return nil }
        guard RecordedURL.comparable(url, RecordingOptions()) != nil else { return nil }
        return RecordedExchange(
            method: method,
            url: url,
            headers: headers,
            body: body,
            informational: try informational(entry),
            outcome: outcome,
            jsonPath: entry.path
        )
    }

    /// The informational responses (1xx) that came before the response.
    private func informational(_ entry: HARValue) throws(RecordingProblem) -> [HTTPResponse] {
        guard let list = try entry.member("response")?.member("_informational") else { return [] }
        var responses: [HTTPResponse] = []
        for element in try list.elements() {
            let status = try element.required("status")
            let code = try status.integer()
            guard (100...199).contains(code) else { throw status.problem("\(code) is not an informational status") }
            let phrase = try element.member("statusText")?.text() ?? ""
            let fields = try element.fields("headers")
            let early = HTTPResponse.Status(code: code, reasonPhrase: phrase)
            responses.append(HTTPResponse(status: early, headerFields: fields))
        }
        return responses
    }

    /// The outcome; `nil` for one that is not a response to a request, as of a WebSocket.
    private func outcome(_ entry: HARValue, to method: String) throws(RecordingProblem) -> RecordedExchange.Outcome? {
        guard let response = try entry.member("response") else { return .failed(failure(nil)) }
        let status = try response.member("status")
        let code = try status?.integer() ?? 0
        let (failure, isCancelled) = try failure(response)
        if code <= 0 { return isCancelled ? .cancelled : .failed(failure ?? self.failure(nil)) }
        guard (100...999).contains(code) else {
            throw (status ?? response).problem("\(code) is not a status code")
        }
        if code < 200 { return nil }
        let version = try response.member("httpVersion")?.text() ?? ""
        let trailers = try response.fields("_trailers")
        var headers = try response.fields("headers")
        let content = try response.member("content")
        var body = try self.content(content)
        let hasBody = method != "HEAD" && code != 204 && code != 304
        if hasBody, case .empty = body, let size = try content?.member("size"), try size.integer() > 0 {
            body = .omitted("the recording contains only its size, \(try size.integer()) bytes")
        }
        if case .text(let text) = body { HARReader.declareUnicode(&headers, of: text) }
        let phrase = try response.member("statusText")?.text() ?? ""
        return .response(
            status: HTTPResponse.Status(code: code, reasonPhrase: phrase),
            headers,
            protocolName: version.isEmpty ? nil : version,
            body,
            isCancelled ? .cancelled : failure.map { .failed($0) } ?? .complete(trailers)
        )
    }

    /// A text in a HAR file is Unicode, whatever charset it was sent in.
    private static func declareUnicode(_ headers: inout HTTPFields, of text: String) {
        guard let type = headers[.contentType].flatMap({ MediaType($0) }), let charset = type["charset"]?.lowercased(),
            charset != "utf-8", charset != "utf8", !text.utf8.allSatisfy({ $0 < 0x80 })
        else { return }
        let others = type.parameters.filter { $0.name != "charset" }
        let unicode = MediaType.Parameter(name: "charset", value: "utf-8")
        headers[.contentType] = "\(MediaType(type.type, type.subtype, parameters: others + [unicode]))"
    }

    // MARK: Bodies

    private func content(_ content: HARValue?) throws(RecordingProblem) -> RecordedBody {
        guard let content else { return .empty }
        if let name = try content.member("_file") {
            let (text, size) = (try name.text(), try content.member("size")?.integer() ?? 0)
            guard BodyFolder.isName(text) else { throw name.problem("it is not the name of a body's file") }
            return .file(name: text, length: Int64(max(0, size)))
        }
        if let reason = try content.member("_omitted") { return .omitted(try reason.text()) }
        guard let value = try content.member("text") else { return .empty }
        let text = try value.text()
        guard let encoding = try content.member("encoding"), !(try encoding.text().isEmpty) else {
            return text.isEmpty ? .empty : .text(text)
        }
        guard try encoding.text().lowercased() == "base64" else {
            throw encoding.problem("the encoding must be base64")
        }
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            throw value.problem("the text is not base64")
        }
        return data.isEmpty ? .empty : .binary([UInt8](data))
    }

    // MARK: Failures

    /// The failure of an exchange whose entry has no more than a message.
    private func failure(_ message: String?) -> TransportFailure {
        let message = message ?? "the recorded request got no response"
        let kinds: [(String, TransportFailure.Kind)] = [
            ("NAME_NOT_RESOLVED", .lookup), ("CONNECTION_REFUSED", .connect), ("CONNECTION_RESET", .connectionClosed),
            ("CONNECTION_CLOSED", .connectionClosed), ("TIMED_OUT", .timeout(.connect)), ("CERT_", .tls),
            ("SSL_", .tls),
        ]
        return TransportFailure(kinds.first { message.has($0.0) }?.1 ?? .other, message)
    }

    private func failure(_ response: HARValue) throws(RecordingProblem) -> (TransportFailure?, isCancelled: Bool) {
        let message = try response.member("_error")?.text()
        guard let details = try response.member("_failure") else {
            // As Chrome writes it.
            guard let message, !message.isEmpty else { return (nil, false) }
            return message.has("ERR_ABORTED") ? (nil, true) : (failure(message), false)
        }
        let kind = try details.required("kind")
        let name = try kind.text()
        if name == "cancelled" { return (nil, true) }
        guard let known = TransportFailure.Kind(recordedName: name) else {
            throw kind.problem("unknown kind of failure")
        }
        let fate = try details.member("fate")?.text()
        var failure = TransportFailure(
            known,
            message ?? "the recorded request failed",
            fate: fate.flatMap { TransportFailure.Fate(recordedName: $0) }
        )
        failure.connectionHadServed = try details.member("connectionHadServed")?.json.bool ?? false
        return (failure, false)
    }
}
