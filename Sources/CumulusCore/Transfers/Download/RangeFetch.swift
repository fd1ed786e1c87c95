// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Asks for a file or a range of it, judges the answer, and reads its body: what each download and each of its segments
/// is made of.
struct RangeFetch: Sendable {
    /// Where requests go, which a renewed link changes.
    var pipeline: RequestPipeline
    var draft: RequestDraft
    let call: Call

    /// An answer whose body is unread.
    struct Answer: Sendable {
        let arrival: Exchange.Arrival
        let verdict: RangeVerdict
        /// How many bytes the head says the body has; `nil` where it doesn't.
        let announced: Int64?

        var head: ResponseHead { arrival.answer.head }
        var body: ResponseBody { arrival.answer.body }

        /// Ends the exchange; what was not read is lost.
        func drop() { body.cancel() }
    }

    /// Sends the request and judges the head.
    ///
    /// - Parameters:
    ///   - question: What is wanted.
    ///   - mayWait: Whether it may stand in the line of a limit; otherwise ``Limit/Full`` is thrown.
    /// - Returns: The answer, its body unread.
    /// - Throws: ``CumulusError``; an unsuccessful status is no error here.
    func ask(_ question: RangeQuestion, mayWait: Bool = true) async throws -> Answer {
        var request = try pipeline.encoding.encode(draft)
        if request.headers[.acceptEncoding] == nil || request.headers[.acceptEncoding] == ContentDecoding.accepted {
            request.headers[.acceptEncoding] = "identity"
        }
        if let range = question.range { request.headers[.range] = range }
        if let condition = question.condition { request.headers[.ifRange] = condition }
        let arrival = try await pipeline.exchange.send(
            request,
            call,
            for: .download,
            isRest: question.known != nil,
            mayWait: mayWait
        )
        let head = arrival.answer.head
        let announced =
            arrival.answer.body.expectedLength ?? head.headers[.contentLength].flatMap { ContentRange.number($0) }
        let verdict = RangeVerdict(question, head.status, head.headers, announced: announced)
        let answer = Answer(arrival: arrival, verdict: verdict, announced: announced)
        if case .whole = verdict, head.headers.isCoded, request.headers[.acceptEncoding] == "identity" {
            answer.drop()
            throw CumulusError(
                .contentCoding,
                stage: .delivery,
                "the response has the content coding \(RequestURL.quote(head.headers[.contentEncoding] ?? "")), which was not "
                    + "asked for; to keep the bytes as they come, set `Accept-Encoding`",
                request: arrival.request
            )
        }
        return answer
    }

    /// The same for another URL, absolute or relative to this one; at another origin only harmless settings go along.
    func following(_ link: String) async throws -> RangeFetch {
        let resource = draft.resource.follow(link)
        let settings = resource.settings
        let isElsewhere = try resource.addressOrRefusal().origin != draft.origin
        let next = try RequestDraft(
            method: .get,
            resource: resource,
            settings: settings,
            query: [:],
            headers: isElsewhere ? [:] : draft.headers,
            payload: .none,
            wanted: nil
        )
        var fetch = self
        fetch.draft = try await settings.pipeline.preflight.review(next)
        fetch.pipeline = settings.pipeline
        return fetch
    }

    /// The error that an unsuccessful answer is, with the beginning of its body.
    func failure(_ answer: Answer) async throws -> CumulusError {
        let response = try await pipeline.exchange.collect(answer.arrival)
        return response.failure ?? pipeline.exchange.judge.statusError(of: response)
    }

    /// Reads a body to its end, or until `take` has enough; the exchange is over then.
    ///
    /// - Parameters:
    ///   - answer: What was asked for, its body unread.
    ///   - take: Is given each piece and its place in the body; false ends the reading.
    /// - Throws: ``CumulusError/Code/truncatedBody`` for a body that is shorter than it was announced, ``Misfit`` for one
    ///   that is longer and whose bytes are not to be trusted, what ends the exchange, and what `take` throws.
    func read(_ answer: Answer, _ take: (ByteChunk, Int64) throws -> Bool) async throws {
        let request = answer.arrival.request
        var expected = answer.announced
        if case .part(let count, _) = answer.verdict { expected = count }
        var received: Int64 = 0
        do {
            while let chunk = try await Stage.run(
                .delivery,
                .transport,
                request: request,
                { try await answer.body.next() }
            ) {
                if let expected, received + Int64(chunk.count) > expected {
                    throw Misfit(
                        reason: "the body has more than the \(expected) bytes that were announced",
                        isChange: false
                    )
                }
                let goesOn = try take(chunk, received)
                received += Int64(chunk.count)
                // What ends here anyway is read to its end, which leaves the connection to others.
                if !goesOn, received != expected { return answer.body.cancel() }
            }
            try Task.checkCancellation()
        } catch {
            answer.body.cancel()
            throw error
        }
        if let expected, received < expected {
            throw CumulusError(
                .truncatedBody,
                stage: .delivery,
                "the body should have \(expected) bytes, and only \(received) came",
                request: request
            )
        }
    }

    /// An answer that is not the range that was asked for.
    struct Misfit: Error, CustomStringConvertible {
        let reason: String
        /// Whether the file is another one now; otherwise the server can't do ranges.
        let isChange: Bool

        var description: String { reason }
    }
}
