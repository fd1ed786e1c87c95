// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// Converts a fixture into a response: content, media type, and the requested range.
struct FixtureResponse {
    private let request: TransportRequest
    private let sent: Int64
    private var status: HTTPResponse.Status
    private var headers: HTTPFields
    private var content: FixtureContent
    private var range: Range<Int64>
    private let duration: Duration

    init(_ fixture: Fixture, to request: TransportRequest, coders: CoderRegistry, sent: Int64) throws {
        if let problem = fixture.problem { throw problem }
        self.request = request
        self.sent = sent
        duration = fixture.duration
        status = fixture.status
        headers = fixture.headers
        let (content, type) = try FixtureResponse.content(of: fixture, for: request, coders)
        self.content = content
        range = 0..<content.length
        if headers[.contentType] == nil, content.length > 0 { headers[.contentType] = type?.description }
        if request.method == .get, status == .ok { narrow() }
        headers[.contentLength] = status == .noContent || status == .notModified ? nil : "\(range.count)"
    }

    /// The response; its body arrives in pieces, like a transport's.
    var response: TransportResponse {
        let hasBody = request.method != .head && status != .noContent && status != .notModified
        let part = hasBody ? range : 0..<0
        var facts = ExchangeFacts()
        facts.protocolName = "fixture"
        facts.bytesSent = sent
        let head = ResponseHead(status: status, headers: headers)
        // Nothing to wait for, as with a real response that arrives whole with its head.
        if part.isEmpty || duration == .zero, part.count <= 65_536, case .bytes = content,
            let bytes = try? content.read(part)
        {
            facts.bytesReceived = Int64(bytes.count)
            return TransportResponse(head: head, body: ResponseBody(complete: bytes, end: ExchangeEnd(facts: facts)))
        }
        return TransportResponse(
            head: head,
            body: ResponseBody(
                expectedLength: Int64(part.count),
                source: FixtureBodySource(content, part, facts, request, over: duration)
            )
        )
    }

    /// The content and its media type: the accepted one, if the bytes may be of it.
    private static func content(
        of fixture: Fixture,
        for request: TransportRequest,
        _ coders: CoderRegistry
    ) throws -> (FixtureContent, MediaType?) {
        switch fixture.content {
        case .none, .failure, .sequence: return (.bytes(.empty), nil)
        case .bytes(let bytes, true): return (.bytes(bytes), acceptedBytes(by: request) ?? .text)
        case .bytes(let bytes, false):
            return (.bytes(bytes), acceptedBytes(by: request) ?? imageType(of: bytes) ?? .bytes)
        case .value(let value):
            let named = fixture.headers[.contentType].flatMap { MediaType($0) }
            let encoded = try coders.encode(
                value,
                as: named,
                accepted: accepted(by: request),
                for: request.target
            )
            return (.bytes(encoded.bytes), encoded.type)
        case .file(let path): return (.file(try FixtureFile(path: path)), acceptedBytes(by: request) ?? .bytes)
        }
    }

    /// The accepted type without a charset, which bytes that are there already may not be in.
    private static func acceptedBytes(by request: TransportRequest) -> MediaType? {
        accepted(by: request).map { type in
            MediaType(type.type, type.subtype, parameters: type.parameters.filter { $0.name != "charset" })
        }
    }

    private static func imageType(of bytes: ByteChunk) -> MediaType? {
        (try? EncodedImage(bytes))?.mediaType
    }

    /// The request's preferred media type; `nil` if it accepts anything.
    private static func accepted(by request: TransportRequest) -> MediaType? {
        let best = (request.headers[.accept] ?? "").parts(at: ",")
            .compactMap { MediaType(String($0)) }
            .filter { $0.type != "*" && $0.subtype != "*" }
            .max { ($0["q"].flatMap { Double($0) } ?? 1) < ($1["q"].flatMap { Double($0) } ?? 1) }
        return best.map { MediaType($0.type, $0.subtype, parameters: $0.parameters.filter { $0.name != "q" }) }
    }

    /// Reduces the response to the requested range of bytes (RFC 9110 section 14); other ranges are ignored.
    private mutating func narrow() {
        headers[.acceptRanges] = headers[.acceptRanges] ?? "bytes"
        guard let wanted = request.headers[.range].flatMap({ ByteRangeRequest(parsing: $0) }) else { return }
        // A weak tag doesn't say that the bytes are the same (RFC 9110 section 13.1.5).
        if let condition = request.headers[.ifRange],
            condition.begins(with: "W/") || condition != headers[.eTag] && condition != headers[.lastModified]
        {
            return
        }
        if let part = wanted.range(of: content.length) {
            status = .partialContent
            headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(content.length)"
            range = part
        } else {
            status = .rangeNotSatisfiable
            headers[.contentRange] = "bytes */\(content.length)"
            headers[.contentType] = nil
            range = 0..<0
        }
    }
}

/// A request's range of bytes (RFC 9110 section 14.1.2).
private struct ByteRangeRequest {
    private let first: Int64?
    private let last: Int64?

    /// `nil` for an invalid range, another unit, or several ranges: the whole is sent then.
    init?(parsing text: String) {
        guard text.lowercased().begins(with: "bytes="), !text.has(",") else { return nil }
        let parts = Substring(text.utf8.dropFirst(6)).parts(at: "-")
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) else { return nil }
        first = ByteRangeRequest.number(parts[0])
        last = ByteRangeRequest.number(parts[1])
        guard first != nil || last != nil, first ?? 0 <= last ?? .max else { return nil }
    }

    /// A number, or the largest one in the place of a larger one; `nil` for none.
    private static func number(_ digits: Substring) -> Int64? { digits.utf8.isEmpty ? nil : Int64(digits) ?? .max }

    /// The range within a body of this length; `nil` if it is outside.
    func range(of length: Int64) -> Range<Int64>? {
        guard let first else {
            let count = min(last ?? 0, length)
            return count > 0 ? length - count..<length : nil
        }
        return first < length ? first..<min(last.map { min($0, length - 1) + 1 } ?? length, length) : nil
    }
}
