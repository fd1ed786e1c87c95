// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A response of any status, with its body in memory.
public struct Response: Sendable {
    struct Parts: Sendable {
        var head: ResponseHead
        var body: CollectedBody
        let end: ExchangeEnd
        let request: EncodedRequest
        let redirects: [Redirect]
        let started: Moment
        let endedAt: Moment
        let coders: CoderRegistry
        var judge = ResponseJudge.standard
        /// Empty if the call made one exchange, which the other parts describe.
        var attempts: [AttemptRecord] = []
        /// Whether a server may have carried out the request although its response was lost.
        var mayAnswerARepetition = false

        /// Takes over the contents of a call's record when the response has ended.
        mutating func take(_ record: borrowing CallRecord, of number: Int, at now: Moment) {
            attempts = record.attempts(at: now, end.facts == ExchangeFacts() ? nil : end.facts, of: number)
            mayAnswerARepetition = record.mayHaveTakenEffect
        }
    }

    private var parts: Shared<Parts>

    /// A redirect that was followed.
    public struct Redirect: Sendable {
        /// The request that was redirected.
        public let request: EncodedRequest
        /// The redirect's status.
        public let status: HTTPResponse.Status
        /// The redirect's header fields.
        public let headers: HTTPFields
    }

    init(_ parts: Parts) { self.parts = Shared(parts) }

    /// Creates a response from a redirect that is not followed, for its error.
    init(_ exchange: Redirect, after redirects: [Redirect]) {
        let now = Moment.now
        self.init(
            Parts(
                head: ResponseHead(status: exchange.status, headers: exchange.headers),
                body: CollectedBody(bytes: .empty, isComplete: false),
                end: ExchangeEnd(),
                request: exchange.request,
                redirects: redirects,
                started: now,
                endedAt: now,
                coders: CoderRegistry()
            )
        )
    }

    /// The status, with its reason phrase.
    public var status: HTTPResponse.Status { head.status }

    /// The status as a number: 404.
    public var statusCode: Int { status.code }

    /// The body's bytes, in the storage in which they were received.
    public var bytes: ByteChunk { parts.value.body.bytes }

    /// Whether ``bytes`` contains the whole body.
    ///
    /// Only the first 64 KiB of an unsuccessful response are read.
    public var isBodyComplete: Bool { parts.value.body.isComplete }

    /// The request to which the server responded: the last one if redirects were followed.
    public var request: EncodedRequest { parts.value.request }

    /// The URL of ``request``, without items that authorizers add to its query.
    public var url: RequestURL { request.url }

    /// The redirects that led to this response, in order.
    public var history: [Redirect] { parts.value.redirects }

    /// All attempts of the call, oldest first: the reason, outcome and duration of each.
    public var attempts: [AttemptRecord] {
        let parts = parts.value
        guard parts.attempts.isEmpty else { return parts.attempts }
        let facts = facts == ExchangeFacts() ? nil : facts
        return [
            AttemptRecord(
                number: 1,
                reason: .call,
                request: request,
                outcome: .responded(status),
                elapsed: max(.zero, elapsed),
                facts: facts
            )
        ]
    }

    /// The same response with the attempts of its call.
    func after(_ attempts: [AttemptRecord]) -> Response {
        guard parts.value.attempts.isEmpty else { return self }
        var response = self
        response.parts.value.attempts = attempts
        return response
    }

    /// The same response with its call's record as it is now, since the body was received after the head.
    func updated(from record: borrowing CallRecord, of number: Int, at now: Moment) -> Response {
        var response = self
        response.parts.value.take(record, of: number, at: now)
        return response
    }

    /// Whether a server may have carried out the request although its response was lost, so that this response may be
    /// the response to a repetition.
    package var mayAnswerARepetition: Bool { parts.value.mayAnswerARepetition }

    /// The attempts, for an error; empty if there was only one without details.
    var attemptsBehind: [AttemptRecord] {
        let all = parts.value.attempts
        return all.count > 1 || all.last?.retry != nil ? all : []
    }

    /// The trailer fields (RFC 9110 section 6.5).
    public var trailers: HTTPFields { parts.value.end.trailers }

    /// The transport's observations of the last exchange: phases, addresses, bytes.
    public var facts: ExchangeFacts { parts.value.end.facts }

    /// The time from the call to the last byte, including redirects.
    public var elapsed: Duration { parts.value.endedAt - parts.value.started }

    /// The date when the last byte arrived, by the system's clock.
    var receivedAt: Date { Date(timeIntervalSinceNow: (parts.value.endedAt - Moment.now) / .seconds(1)) }

    private var head: ResponseHead { parts.value.head }

    /// Returns a copy of the response with a different body, for ``Resource/Settings/responseProcessors``.
    ///
    /// The old body's `Content-Length` is removed.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - mediaType: The body's media type; `nil` leaves the `Content-Type` unchanged.
    /// - Returns: The response.
    public func replacingBody(with bytes: some ByteStorage, type mediaType: MediaType? = nil) -> Response {
        var response = self
        response.parts.value.body = CollectedBody(bytes: ByteChunk(bytes), isComplete: isBodyComplete)
        response.parts.value.head = head.naming(mediaType?.description)
        return response
    }

    /// The coders of the request's settings.
    public var coders: CoderRegistry { parts.value.coders }

    /// The rules for success, and the decoders of errors in bodies.
    private var judge: ResponseJudge { parts.value.judge }

    /// The header fields, without `Content-Encoding` and `Content-Length` if the body was decoded.
    public var headers: HTTPFields { head.headers }

    /// The header fields as received, even if the body was decoded.
    public var receivedHeaders: HTTPFields { head.receivedHeaders }

    /// The protocol of the response: `HTTP/1.1`; `nil` if the transport doesn't report it.
    public var protocolName: String? { head.protocolName }

    /// A ``ResponseStore``'s note about the response, such as `hit; ttl=300`; `nil` if no store added one.
    public var storeNote: String? { head.storeNote }

    /// Returns a header field by its name, with several values joined by a comma; `nil` if the field is missing.
    public func header(_ name: String) -> String? { headers[name] }

    /// The reason why ``bytes`` still have a content coding: the coding is unknown, and was not requested.
    ///
    /// `nil` for any other body.
    ///
    /// A value can't be decoded from such a body: that throws ``CumulusError/Code/contentCoding``.
    public var contentCodingProblem: ContentCodingProblem? { head.codingProblem }

    /// - Throws: ``contentCodingProblem``.
    func requireDecodedBody() throws {
        if let problem = contentCodingProblem { throw problem }
    }

    /// The body as `Data`.
    public var data: Data { bytes.data }

    /// The `Content-Type`; `nil` if it is missing or not a media type.
    public var mediaType: MediaType? { headers[.contentType].flatMap { MediaType(parsing: $0) } }

    /// Whether the status is 2xx.
    public var isSuccessful: Bool { status.kind == .successful }

    /// Whether the status is 304: the caller's copy is still valid.
    public var isNotModified: Bool { status.code == 304 }

    /// The body as text, by its charset; `nil` if it is not valid in that charset.
    ///
    /// Use ``CoderRegistry/registerText(_:)`` for your own rules.
    public var text: String? { try? coders.text.text(bytes, of: mediaType) }

    /// Returns the body as text in a charset of your choice, regardless of the response's own.
    ///
    /// - Parameter charset: The charset's name, such as `gb2312`; ``TextCoder`` lists the known ones.
    /// - Returns: The text.
    /// - Throws: ``CumulusError/Code/decoding`` if the bytes are not valid in the charset, or it is unknown.
    public func text(as charset: String) throws -> String {
        try decode(as: String.self, using: TextCoder(charset: charset))
    }

    /// Returns the body as JSON, regardless of its media type.
    ///
    /// - Throws: ``CumulusError/Code/decoding``.
    public func json() throws -> JSON { try decode(as: JSON.self) }

    /// The body as a form's names and values; `nil` if its media type is not a form's.
    public var form: Query? {
        guard mediaType?.essence == MediaType.form.essence else { return nil }
        return text.map(Query.init(parsing:))
    }

    /// Returns the body as a value, regardless of the status.
    ///
    /// - Throws: ``CumulusError/Code/decoding`` with the coding path. Its cause is a ``DecodingProblem``.
    public func decode<Value: Decodable>(as type: Value.Type) throws -> Value {
        try Stage.run(.decoding, .decoding, request: request, response: self) {
            try requireDecodedBody()
            return try coders.decode(type, from: bytes, labeled: label)
        }
    }

    /// Returns the body as a value, read by a coder of your choice, regardless of the settings and the response's media
    /// type.
    ///
    /// - Throws: ``CumulusError/Code/decoding`` with the coding path; its cause is a ``DecodingProblem``.
    public func decode<Value: Decodable>(as type: Value.Type, using coder: some BodyCoder) throws -> Value {
        try Stage.run(.decoding, .decoding, request: request, response: self) {
            try requireDecodedBody()
            return try coders.decode(type, from: bytes, labeled: label, using: coder)
        }
    }

    /// Returns the response if it is a success: its status is 2xx, or in ``Resource/Settings/acceptableStatuses``, and
    /// no ``ErrorDecoder`` finds an error in it.
    ///
    /// - Throws: ``CumulusError/Code/service`` or ``CumulusError/Code/status``, with this response.
    @discardableResult
    public func requireSuccess() throws -> Response {
        if let failure { throw failure }
        return self
    }

    /// The error that ``requireSuccess()`` throws; `nil` for a success.
    public var failure: CumulusError? { judge.failure(of: self) }
}

extension Response: Redacted {
    /// The status, request and size, without the body.
    public var description: String { "\(status.code) for \(request): \(bytes.count) bytes" }
}

extension Response.Redirect: Redacted {
    /// The status and request, without secrets.
    public var description: String { "\(status.code) for \(request)" }
}

/// Bytes of a body in memory, and whether they are complete.
struct CollectedBody: Sendable {
    let bytes: ByteChunk
    let isComplete: Bool
}
