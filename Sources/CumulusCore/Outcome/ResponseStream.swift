// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A successful response whose body is read as it arrives.
///
/// While no code reads the body, the server has to wait.
///
/// A stream has one reader at a time: a second reader receives an error, and the first one continues. Leaving a loop
/// over the stream, its lines, values or parts doesn't end the exchange: the next loop continues where that one
/// stopped, and nothing is lost. The response holds its connection and its slot of
/// ``Resource/Rules/maxConcurrentRequests`` until the body has been read to its end, ``cancel()`` is called, or the
/// last copy of the stream, its lines, its parts and their iterators is released.
public struct ResponseStream: Sendable, AsyncSequence {
    /// A piece of the body.
    public typealias Element = ByteChunk

    /// The request to which the server responded: the last one if redirects were followed.
    public let request: EncodedRequest
    /// The status and header fields.
    public let head: ResponseHead
    private let redirects: [Response.Redirect]
    private let body: ResponseBody
    private let wire: WireCount?
    /// The call's exchanges so far, with the observations of the last one.
    private let exchanges: @Sendable (ExchangeFacts?) -> [AttemptRecord]
    /// The body's source, which the list of running requests may hold.
    let source: any ResponseBodySource
    /// The bytes that readers of lines or parts have read ahead.
    let ahead = ReadAhead()
    /// The coders of the settings, for reading values from the body.
    let coders: CoderRegistry
    /// The maximum number of bytes in memory.
    let limit: Int
    /// The decoders of errors in bodies.
    private let judge: ResponseJudge
    /// The clock of the call.
    let clock: any RequestClock

    /// Creates a stream from a response whose body `source` reads.
    init(
        _ response: TransportResponse,
        to request: EncodedRequest,
        after history: [Response.Redirect],
        source: any ResponseBodySource,
        coders: CoderRegistry,
        limit: Int,
        judge: ResponseJudge,
        clock: any RequestClock,
        exchanges: @escaping @Sendable (ExchangeFacts?) -> [AttemptRecord]
    ) {
        (head, self.request, redirects) = (response.head, request, history)
        self.source = source
        self.coders = coders
        self.limit = limit
        self.judge = judge
        self.clock = clock
        self.exchanges = exchanges
        wire = response.body.wire
        body = ResponseBody(expectedLength: response.body.expectedLength, source: source)
    }

    /// The redirects that led to this response.
    public var history: [Response.Redirect] { redirects }

    /// All attempts of the call so far, as in ``Response/attempts``; the duration of the last attempt ends with the
    /// arrival of its head.
    public var attempts: [AttemptRecord] { exchanges(end?.facts) }

    /// The status.
    public var status: HTTPResponse.Status { head.status }

    /// The status as a number: 404.
    public var statusCode: Int { status.code }

    /// The protocol of the response: `HTTP/1.1`; `nil` if the transport doesn't report it.
    public var protocolName: String? { head.protocolName }

    /// A ``ResponseStore``'s note about the response, such as `hit; ttl=300`; `nil` if no store added one.
    public var storeNote: String? { head.storeNote }

    /// The reason why the bytes still have a content coding: the coding is unknown, and was not requested.
    ///
    /// `nil` for any other body.
    ///
    /// Reading lines, values or parts of such a body throws ``CumulusError/Code/contentCoding``.
    public var contentCodingProblem: ContentCodingProblem? { head.codingProblem }

    /// The header fields.
    public var headers: HTTPFields { head.headers }

    /// Returns a header field by its name, with several values joined by a comma; `nil` if the field is missing.
    public func header(_ name: String) -> String? { headers[name] }

    /// The body's length if the server sent it; `nil` if the body is decoded.
    public var expectedLength: Int64? { body.expectedLength }

    /// The media type of the body; `nil` if the response has no valid `Content-Type`.
    public var mediaType: MediaType? { headers[.contentType].flatMap { MediaType($0) } }

    /// The number of bytes that are unread; `nil` if it isn't known, or if some were read.
    var unreadLength: Int64? { ahead.hasBegun ? nil : expectedLength }

    /// The reason why no more of a decoded body may be kept in memory; `nil` if more may be kept.
    package func excess(of decoded: Int) -> String? { wire?.excess(of: decoded) }

    /// The trailers and the transport's observations; `nil` until the body has been read to its end.
    public var end: ExchangeEnd? { body.end }

    /// Ends the exchange; bytes that have not been read are lost.
    public func cancel() {
        body.cancel()
        ahead.cancel()
    }

    /// The response with a part of its body, or an event, in place of the body: for errors.
    func response(with body: CollectedBody, type: MediaType? = nil) -> Response {
        let now = Moment.now
        return Response(
            Response.Parts(
                head: type == nil ? head : head.naming(type?.description),
                body: body,
                end: end ?? ExchangeEnd(),
                request: request,
                redirects: history,
                started: now,
                endedAt: now,
                coders: coders,
                judge: judge,
                attempts: attempts
            )
        )
    }

    /// The error that the service's error decoders find in an event's data; `nil` if they find none.
    func serviceFailure(in data: CollectedBody, type: MediaType) -> CumulusError? {
        let failure = judge.failure(of: response(with: data, type: type), isEvent: true)
        return failure?.code == .service ? failure : nil
    }

    /// Takes the next piece from the body, for a reader of ``ahead``.
    ///
    /// - Parameter watch: Limits the time without a byte.
    /// - Returns: The piece; `nil` after the last.
    /// - Throws: ``CumulusError`` if the body is interrupted, or silent for too long; `CancellationError`.
    func pull(_ watch: SilenceWatch? = nil) async throws -> ByteChunk? {
        watch?.begin()
        defer { watch?.end() }
        do {
            return try await Stage.run(.delivery, .transport, request: request) { try await body.next() }
        } catch {
            guard let silence = watch?.failure(of: request) else { throw error }
            ahead.fail(silence)
            throw silence
        }
    }

    /// Creates a reader of the pieces.
    public func makeAsyncIterator() -> Iterator { Iterator(body: body, request: request, ahead: ahead) }

    /// Reads the pieces.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let body: ResponseBody
        let request: EncodedRequest
        let ahead: ReadAhead

        /// Returns the next piece; `nil` after the last.
        ///
        /// - Throws: ``CumulusError`` if the body is interrupted, `CancellationError` when the task is cancelled.
        public func next() async throws -> ByteChunk? {
            try await ahead.read(of: request) { unread in
                if let bytes = unread.take() { return bytes }
                return try await Stage.run(.delivery, .transport, request: request) { try await body.next() }
            }
        }
    }
}
