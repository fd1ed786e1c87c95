// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Adds cookies and credentials, authorizes the request again if the server may have seen it, and examines the
/// response.
extension AttemptLoop {
    /// The request with its origin's cookies and credentials.
    func authorized(
        _ plain: EncodedRequest,
        cookied: EncodedRequest? = nil,
        after memory: Recovery.Memory,
        _ call: CallContext
    ) async throws -> SentRequest {
        if cookieJar == nil, let (fields, applied) = authorization.fieldsAtOnce(plain, after: memory) {
            return SentRequest(plain, fields: fields, by: applied)
        }
        let cookied = cookied ?? withCookies(plain, after: memory.redirects)
        guard !authorization.authorizers.isEmpty else { return SentRequest(plain, authorized: cookied) }
        let (authorized, applied) = try await Stage.run(.authorization, .authorization, request: plain, wrapping: true) {
            try await authorization.authorize(cookied, after: memory, call, on: clock)
        }
        return SentRequest(plain, authorized: authorized, by: applied)
    }

    /// Authorizes the request again, since the server may have seen the credentials before.
    func renew(_ sent: inout SentRequest, _ context: AttemptContext) async throws {
        let (plain, visits, lookup) = (sent.plain, sent.visits, sent.lookup)
        sent = try await authorized(plain, after: context.memory, context.call)
        if let lookup, stores?.isCurrent(lookup, after: context.memory.redirects) == false {
            // Another user has logged in. The response is not stored, and a read loses the conditions made for the user
            // before.
            visits?.failed()
            if plain.isReading, plain.headers != lookup.plain.headers {
                sent = try await authorized(lookup.plain, after: context.memory, context.call)
            }
        } else {
            (sent.visits, sent.lookup) = (visits, lookup)
        }
        sent.isRenewed = true
    }

    /// Passes a response to the authorizers. If they refuse its head, the body is not read. If they refuse its body,
    /// the body ends with their error.
    func examined(
        _ response: TransportResponse,
        _ sent: SentRequest,
        _ context: AttemptContext
    ) throws -> TransportResponse {
        let demanded: BodyCheck?
        do {
            demanded = try authorization.examine(response.head, of: sent.authorized, after: context.memory.redirects)
        } catch {
            response.body.cancel()
            let described = Stage.describe(error, .authorization, .authorization, request: sent.shown)
            throw context.call.record.failed(response.body.exchange, described, at: clock.moment)
        }
        // Downloads receive parts of bodies and keep the bytes that arrived; they check digests of the whole file.
        guard let check = demanded, context.options.use != .download else { return response }
        // A body that the transport has decoded differs from the one that the server hashed.
        if transmission.capabilities.decodesContent, response.head.headers[.contentEncoding] != nil {
            return response
        }
        context.call.noteBodyCheck()
        let described = BodyCheck(update: check.update) {
            do {
                try check.finish()
            } catch {
                throw Stage.describe(error, .authorization, .authorization, request: sent.shown)
            }
        }
        let body = response.body.wrapped(by: CheckedBody(response.body, described))
        return TransportResponse(head: response.head, body: body)
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
        if let stores {
            let partition = stores.partition(of: conditional, after: [])
            let lookup = StoreLookup(plain: conditional, partition: partition)
            asked = try stores.rehearse(conditional, storeContext(lookup, of: conditional, call))
        }
        return try await authorized(asked, after: Recovery.Memory(), call).authorized
    }
}
