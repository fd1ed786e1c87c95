// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Stage 3d: cookies and proof are added, made again where the server may have seen them, and the answer is examined.
extension Exchange {
    /// The request with its origin's cookies and proof.
    func proven(
        _ plain: EncodedRequest,
        cookied: EncodedRequest? = nil,
        after history: CallHistory,
        _ call: CallContext
    ) async throws -> SentRequest {
        if cookieJar == nil, let (fields, makers) = authorization.fieldsAtOnce(plain, after: history) {
            return SentRequest(plain, fields: fields, by: makers)
        }
        let proven = cookied ?? withCookies(plain, after: history)
        guard !authorization.authorizers.isEmpty else { return SentRequest(plain, proven: proven) }
        let (authorized, makers) = try await Stage.run(.authorization, .authorization, request: plain, wrapping: true) {
            try await authorization.authorize(proven, after: history, call, on: clock)
        }
        return SentRequest(plain, proven: authorized, by: makers)
    }

    /// Makes the proof again: the server may have seen the one before.
    func renew(_ sent: inout SentRequest, _ context: Attempting) async throws {
        let (plain, hop, lookup) = (sent.plain, sent.hop, sent.lookup)
        sent = try await proven(plain, after: context.history, context.call)
        if let lookup, storing?.isCurrent(lookup, after: context.history) == false {
            // Another user has logged in: the response is not stored, and a read has no condition of the other user's.
            hop?.failed()
            if plain.isReading, plain.headers != lookup.plain.headers {
                sent = try await proven(lookup.plain, after: context.history, context.call)
            }
        } else {
            (sent.hop, sent.lookup) = (hop, lookup)
        }
        sent.isRenewed = true
    }

    /// Passes a response to the authorizers; if they refuse its head, it is not read, and if they refuse its body, it
    /// ends with their error.
    func examined(
        _ answer: TransportResponse,
        _ sent: SentRequest,
        _ context: Attempting
    ) throws -> TransportResponse {
        let demanded: BodyCheck?
        do {
            demanded = try authorization.examine(answer.head, of: sent.proven, after: context.history)
        } catch {
            answer.body.cancel()
            throw Stage.describe(error, .authorization, .authorization, request: sent.shown)
        }
        // Downloads take parts of bodies, and keep what has arrived; they have digests of the whole file.
        guard let check = demanded, context.use != .download else { return answer }
        // A body that the transport has decoded differs from the one that the server has hashed.
        if transmission.capabilities.decodesContent, answer.head.headers[.contentEncoding] != nil {
            return answer
        }
        context.call.noteBodyCheck()
        let described = BodyCheck(update: check.update) {
            do {
                try check.finish()
            } catch {
                throw Stage.describe(error, .authorization, .authorization, request: sent.shown)
            }
        }
        let source = CheckedBody(answer.body, described)
        let body = ResponseBody(expectedLength: answer.body.expectedLength, source: source)
        return TransportResponse(head: answer.head, body: body)
    }

    /// The request with its origin's cookies.
    func withCookies(_ plain: EncodedRequest, after history: CallHistory) -> EncodedRequest {
        var cookied = plain
        cookieJar?.add(to: &cookied, after: history.hops, by: transmission.proxies)
        return cookied
    }

    /// The request as its first attempt would send it.
    func rehearse(_ request: EncodedRequest, _ call: CallContext) async throws -> EncodedRequest {
        let conditional = try conditions?.added(to: request) ?? request
        var asked = conditional
        if let storing {
            let partition = storing.partition(of: conditional, after: CallHistory())
            let lookup = StoreLookup(plain: conditional, partition: partition)
            asked = try storing.rehearse(conditional, storeContext(lookup, of: conditional, call))
        }
        return try await proven(asked, after: CallHistory(), call).proven
    }
}
