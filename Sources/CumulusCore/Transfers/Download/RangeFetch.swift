// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// Requests a file or a range of it, checks the response, and reads its body.
///
/// Downloads and their segments are made of such requests.
struct RangeFetch: Sendable {
    let pipeline: RequestPipeline
    let draft: RequestDraft
    /// The encoded draft, made once; each request adds its own fields.
    let request: EncodedRequest
    let call: CallContext
    /// The call's number, which a renewed link keeps.
    private(set) var id: CallID
    private let links: DownloadLinks
    /// The request to which redirects have led, and the attempts before it; `nil` without redirects.
    ///
    /// Further requests for bytes of the same file go there directly. The redirects may lead to another resource by now,
    /// or to another signed URL of the same one.
    private var target: (request: EncodedRequest, memory: Recovery.Memory)?

    /// Encodes a draft that the preflights have approved.
    init(
        _ draft: RequestDraft,
        _ call: CallContext,
        in pipeline: RequestPipeline,
        links: DownloadLinks
    ) throws {
        self.pipeline = pipeline
        self.draft = draft
        self.call = call
        id = draft.id
        self.links = links
        var request = try pipeline.encoding.encode(draft)
        let asked = request.headers[.acceptEncoding]
        if asked == nil || asked == pipeline.encoding.acceptedCodings {
            request.headers[.acceptEncoding] = "identity"
        }
        self.request = request
    }

    /// A response whose body is unread.
    struct UnreadResponse: Sendable {
        var received: AttemptLoop.ReceivedResponse
        var check: RangeCheck
        /// The length that the head announces; `nil` if it doesn't.
        var announced: Int64?
        /// The source of its bytes.
        let source: ResponseSource
        /// The time from the request to its head, with all of its attempts.
        let latency: Duration

        var head: ResponseHead { received.response.head }
        var body: ResponseBody { received.response.body }

        /// Ends the exchange; unread bytes are lost.
        func drop() { body.cancel() }
    }

    /// Sends the request and judges the head.
    ///
    /// - Parameters:
    ///   - rangeRequest: The wanted bytes.
    ///   - reason: Why it is sent.
    ///   - mayWait: Whether it may wait at a limit; otherwise ``LimitReached`` is thrown.
    ///   - retries: Whether the retry policy decides after a failure; otherwise it is thrown.
    /// - Returns: The response, its body unread.
    /// - Throws: ``CumulusError``; an unsuccessful status is not an error here.
    func send(
        _ rangeRequest: RangeRequest,
        for reason: AttemptRecord.Reason = .call,
        mayWait: Bool = true,
        retries: Bool = false
    ) async throws -> UnreadResponse {
        var request = target?.request ?? request
        rangeRequest.add(to: &request.headers)
        var options = SendOptions(.download)
        (options.isContinuation, options.mayWait, options.retries) = (rangeRequest.known != nil, mayWait, retries)
        let memory = target?.memory ?? Recovery.Memory()
        let order = Recovery.first(request, for: reason)
        let sent = pipeline.attemptLoop.clock.now
        let received = try await pipeline.attemptLoop.send(order, call, for: options, after: memory)
        let head = received.response.head
        if target != nil, head.status.mayMeanExpired {
            received.response.body.cancel()
            call.record.close(received.number, at: pipeline.attemptLoop.clock.moment)
            return try await untargeted.send(rangeRequest, for: reason, mayWait: mayWait, retries: retries)
        }
        let announced =
            received.response.body.expectedLength ?? head.headers[.contentLength].flatMap { ContentRange.number($0) }
        let source = ResponseSource(
            user: received.user ?? StorePartition.Parts(),
            cookies: cookies(of: received.authorized),
            target: received.memory.redirects.isEmpty ? nil : received.request.url,
            call: id
        )
        let check = RangeCheck(rangeRequest, head.status, head.headers, announced: announced)
            .from(source, for: rangeRequest)
        let unread = UnreadResponse(
            received: received,
            check: check,
            announced: announced,
            source: source,
            latency: pipeline.attemptLoop.clock.now - sent
        )
        guard case .whole = check, head.headers.isCoded, request.headers[.acceptEncoding] == "identity" else {
            return unread
        }
        do {
            return try decoded(unread)
        } catch {
            unread.drop()
            throw error
        }
    }

    /// The fields of cookies that were sent for the same user as a request's.
    ///
    /// All downloads with one jar share them, since a server may set another cookie with each response.
    private func cookies(of request: EncodedRequest) -> [CookieChanges.Digest] {
        guard let cookieJar else { return [CookieChanges.digest(of: request)] }
        return cookieJar.downloadChanges.digests(forUserOf: request)
    }

    /// The cookie jar of the requests.
    var cookieJar: CookieJar? { pipeline.attemptLoop.stages.authorization?.cookieJar }

    /// The same, without the redirects that led to another URL.
    var untargeted: RangeFetch {
        var fetch = self
        fetch.target = nil
        return fetch
    }

    /// Sends further requests to the URL to which redirects led for a response.
    mutating func retarget(after unread: UnreadResponse) {
        let (memory, request) = (unread.received.memory, unread.received.request)
        target = nil
        if memory.redirects.isEmpty { return }
        var next = request
        for name in [HTTPField.Name.range, .ifRange] { next.headers[name] = nil }
        target = (next, memory)
    }

    /// The response to write, for one with a content coding that was not requested: a `.tar.gz` file is saved as it is
    /// sent, and any other body is decoded.
    private func decoded(_ unread: UnreadResponse) throws -> UnreadResponse {
        let (loop, head, request) = (pipeline.attemptLoop, unread.head, unread.received.request)
        let disposition = head.headers[fields: .contentDisposition].first.flatMap { field in
            ContentDisposition.fileName(field.withUnsafeBytesOfValue(Array.init))
        }
        let names = [draft.path, request.url.path, disposition].compactMap(\.self)
        let isFormat = FileCoding.isFormat(of: head.headers, named: names)
        let transportDecodes = loop.transmission.capabilities.decodesContent
        if isFormat, !transportDecodes { return unread }
        var own = unread
        (own.check, own.announced) = (.decoded, nil)
        if !transportDecodes {
            try Stage.run(.delivery, .contentCoding, request: request) {
                try loop.contentDecoding.decode(&own.received.response, of: request, for: call, on: loop.clock)
            }
        } else if !isFormat {
            own.received.response = TransportResponse(head: head.decoded, body: unread.body)
        }
        guard !own.head.headers.isCoded else {
            throw CumulusError(
                .contentCoding,
                stage: .delivery,
                "the response has the content coding \(PeerText.quoted(head.headers[.contentEncoding] ?? "")), which was not "
                    + "requested; to save the encoded bytes, request the coding in an `Accept-Encoding` field",
                request: request
            )
        }
        return own
    }

    /// The same for another URL, absolute or relative to this one; at another origin, only settings that reveal nothing
    /// are inherited.
    func following(_ link: String) async throws -> RangeFetch {
        let next = try links.draft(link, after: draft)
        let pipeline = next.settings.pipeline
        var fetch = try RangeFetch(await pipeline.preflight.review(next), call, in: pipeline, links: links)
        fetch.id = id
        return fetch
    }

    /// The error of an unsuccessful response, with the beginning of its body.
    func failure(_ unread: UnreadResponse) async throws -> CumulusError {
        let response = try await pipeline.attemptLoop.collect(unread.received)
        if unread.head.status.kind == .successful {
            return CumulusError(
                .status,
                stage: .validation,
                "the server responded with \(ResponseJudge.name(response.status)) to a request for the remaining bytes",
                request: response.request,
                response: response
            )
        }
        return response.failure ?? pipeline.attemptLoop.judge.statusError(of: response)
    }

    /// Judges a response that is not the requested part, for the other parts of the file.
    ///
    /// - Parameters:
    ///   - unread: The response, which is over afterwards.
    ///   - known: The state that other parts are from.
    /// - Returns: The reason why its bytes can't be used.
    /// - Throws: The error of an unsuccessful response.
    func mismatch(_ unread: UnreadResponse, of known: RemoteState) async throws -> RangeMismatch {
        if case .failed = unread.check { throw try await failure(unread) }
        unread.drop()
        switch unread.check {
        case .decoded: return .unreliable("the server sent the whole file instead of a range")
        case .whole(let length):
            if let difference = known.difference(unread.head.headers, total: length) { return .changed(difference) }
            return .unreliable("the server sent the whole file instead of a range")
        case .changed(let reason): return .changed(reason)
        case .unreliable(let reason): return .unreliable(reason)
        case .complete, .part, .failed: return .changed("the range is empty")
        }
    }

    /// Whether the remaining bytes may be available after an error; the retry policy decides which statuses are
    /// temporary.
    func isResumable(_ failure: CumulusError) -> Bool {
        let recovery = pipeline.attemptLoop.recovery
        guard let retry = recovery.rules.retry else { return failure.isResumable() }
        let isLimited = failure.timing != nil
        return failure.isResumable { retry.mayBeTemporary($0, of: request, isRepeated: false, isLimited: isLimited) }
    }

    /// The response without its body.
    func response(of unread: UnreadResponse) -> Response { pipeline.attemptLoop.response(of: unread.received) }

    /// The next piece of a body.
    private func piece(_ unread: UnreadResponse) async throws -> ByteChunk? {
        do {
            return try await unread.body.next()
        } catch {
            throw broken(Stage.describe(error, .delivery, .transport, request: unread.received.request), unread)
        }
    }

    /// Records that a body broke off.
    private func broken(_ error: any Error, _ unread: UnreadResponse) -> any Error {
        call.record.failed(unread.received.number, error, at: pipeline.attemptLoop.clock.moment)
    }

    /// Reads a body to its end, or until `take` has enough; then the exchange is over.
    ///
    /// - Parameters:
    ///   - unread: The response, its body unread.
    ///   - take: Gets each piece and its offset in the body; false ends the reading.
    /// - Returns: The reason why the bytes can't be trusted, if the body is longer than announced; else `nil`.
    /// - Throws: ``CumulusError/Code/truncatedBody`` for a body that is shorter than announced, any error of the
    ///   exchange, and any error of `take`.
    func read(_ unread: UnreadResponse, _ take: (ByteChunk, Int64) throws -> Bool) async throws -> RangeMismatch? {
        let request = unread.received.request
        var expected = unread.announced
        if case .part(let count, _) = unread.check { expected = count }
        var received: Int64 = 0
        do {
            while let chunk = try await piece(unread) {
                if let expected, received + Int64(chunk.count) > expected {
                    unread.drop()
                    return .unreliable("the body is longer than the announced \(expected) bytes")
                }
                let goesOn = try take(chunk, received)
                received += Int64(chunk.count)
                // A body that ends here anyway is read to its end, so that the connection can be reused.
                if !goesOn, received != expected {
                    unread.drop()
                    return nil
                }
            }
            try Task.checkCancellation()
        } catch {
            unread.drop()
            throw error
        }
        guard let expected, received < expected else { return nil }
        let failure = CumulusError(
            .truncatedBody,
            stage: .delivery,
            "the body should have \(expected) bytes, but has only \(received)",
            request: request
        )
        throw broken(failure, unread)
    }
}
