// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Stage 3d: cookies and proof are added, made again where the server may have seen them, and the answer is examined.
extension Exchange {
    /// The request with its origin's cookies and proof.
    func proven(
        _ plain: EncodedRequest,
        cookied: EncodedRequest? = nil,
        after memory: Recovery.Memory,
        _ call: CallContext
    ) async throws -> SentRequest {
        if cookieJar == nil, let (fields, makers) = authorization.fieldsAtOnce(plain, after: memory) {
            return SentRequest(plain, fields: fields, by: makers)
        }
        let proven = cookied ?? withCookies(plain, after: memory.redirects)
        guard !authorization.authorizers.isEmpty else { return SentRequest(plain, proven: proven) }
        let (authorized, makers) = try await Stage.run(.authorization, .authorization, request: plain, wrapping: true) {
            try await authorization.authorize(proven, after: memory, call, on: clock)
        }
        return SentRequest(plain, proven: authorized, by: makers)
    }

    /// Makes the proof again: the server may have seen the one before.
    func renew(_ sent: inout SentRequest, _ context: Attempting) async throws {
        let (plain, hop, lookup) = (sent.plain, sent.hop, sent.lookup)
        sent = try await proven(plain, after: context.memory, context.call)
        if let lookup, storing?.isCurrent(lookup, after: context.memory.redirects) == false {
            // Another user has logged in: the response is not stored, and a read has no condition of the other user's.
            hop?.failed()
            if plain.isReading, plain.headers != lookup.plain.headers {
                sent = try await proven(lookup.plain, after: context.memory, context.call)
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
            demanded = try authorization.examine(answer.head, of: sent.proven, after: context.memory.redirects)
        } catch {
            answer.body.cancel()
            let described = Stage.describe(error, .authorization, .authorization, request: sent.shown)
            throw context.call.record.failed(answer.body.exchange, described, at: clock.moment)
        }
        // Downloads take parts of bodies, and keep what has arrived; they have digests of the whole file.
        guard let check = demanded, context.options.use != .download else { return answer }
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
        let body = answer.body.wrapped(by: CheckedBody(answer.body, described))
        return TransportResponse(head: answer.head, body: body)
    }

    /// The request with its origin's cookies.
    func withCookies(_ plain: EncodedRequest, after redirects: [Response.Hop]) -> EncodedRequest {
        var cookied = plain
        cookieJar?.add(to: &cookied, after: redirects, by: transmission.proxies)
        return cookied
    }

    /// The request as its first attempt would send it.
    func rehearse(_ request: EncodedRequest, _ call: CallContext) async throws -> EncodedRequest {
        let conditional = try conditions?.added(to: request) ?? request
        var asked = conditional
        if let storing {
            let partition = storing.partition(of: conditional, after: [])
            let lookup = StoreLookup(plain: conditional, partition: partition)
            asked = try storing.rehearse(conditional, storeContext(lookup, of: conditional, call))
        }
        return try await proven(asked, after: Recovery.Memory(), call).proven
    }
}
