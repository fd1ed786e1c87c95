// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension Exchange {
    /// What an attempt must know of the call that it belongs to.
    struct Attempting: Sendable {
        let call: Call
        let isDownload: Bool
        let mayWait: Bool
        let trail: Trail
        /// Of the slots, where hooks may hold answers; `nil` where none may.
        let loan: SlotLoan?

        /// Whether proof of identity may go along: not once a redirect has led away from where the call began.
        var mayAuthorize: Bool { !trail.hasLeftOrigin }
    }

    /// One attempt: interceptors, proof of identity, a slot, the transport; and where it was sent, if hooks may tell.
    func attempt(
        _ request: EncodedRequest,
        _ context: Attempting
    ) async -> (result: Result<TransportResponse, any Error>, sent: SentURL?) {
        let sent = interception.isEmpty ? nil : SentURL()
        do {
            if let sent { return (.success(try await intercepted(request, context, noting: sent)), sent) }
            return (.success(try await send(request, context)), nil)
        } catch {
            context.call.observation?.tell(.failed(error))
            return (.failure(error), sent)
        }
    }

    private func intercepted(
        _ request: EncodedRequest,
        _ context: Attempting,
        noting sent: SentURL
    ) async throws -> TransportResponse {
        let attempt = Attempt { [self] changed in
            guard changed.origin == request.origin else {
                throw OriginChanged(from: request.origin, to: changed.origin)
            }
            let plain = context.mayAuthorize ? changed : try followUps.redirect.harmless(changed, asked: request)
            sent.url = plain.url
            return try await send(plain, context)
        }
        return try await interception.run(request, attempt: attempt)
    }

    /// The innermost part of an attempt: proof of identity, a slot, and the transport.
    private func send(_ plain: EncodedRequest, _ context: Attempting) async throws -> TransportResponse {
        let authorized = provesNothing ? plain : try await proven(plain, mayAuthorize: context.mayAuthorize)
        // From here on no code of the user's runs, and nothing waits, until the head is there.
        let slot = limit.gate == nil ? nil : try await slot(for: plain, context)
        context.call.observation?.sending(authorized)
        // Errors show the request as it was before it had its proof.
        var answer = try await transmission.send(
            pacing.isOn || context.call.observation != nil
                ? progress.counting(pacing.pacing(authorized), of: authorized.body, context.call) : authorized,
            shownAs: plain,
            context.call,
            isDownload: context.isDownload,
            offersIdentity: context.mayAuthorize
        )
        if let observation = context.call.observation { answer = observation.answered(answer) }
        if !provesNothing { cookieJar?.keep(answer.head, of: plain) }
        guard let slot else { return answer }
        let body = LimitedBody(answer.body, slot, of: limit, context.call, on: clock, loan: context.loan)
        return TransportResponse(
            head: answer.head,
            body: ResponseBody(expectedLength: answer.body.expectedLength, source: body)
        )
    }

    /// The request with what belongs to its origin: what the jar has, and proof of identity.
    private func proven(_ plain: EncodedRequest, mayAuthorize: Bool) async throws -> EncodedRequest {
        var proven = plain
        cookieJar?.add(to: &proven)
        guard mayAuthorize, !authorization.authorizers.isEmpty else { return proven }
        return try await Stage.run(.authorization, .authorization, request: plain, wrapping: true) { [proven] in
            try await authorization.authorize(proven, mayAuthorize: true)
        }
    }

    /// The request as its first attempt would send it.
    func rehearse(_ request: EncodedRequest, _ call: Call) async throws -> EncodedRequest {
        try await proven(try await open(request, stores).asked, mayAuthorize: true)
    }

    private func slot(for request: EncodedRequest, _ context: Attempting) async throws -> Limit.Slot? {
        guard limit.gate != nil else { return nil }
        do {
            let slot = try await limit.enter(context.call, on: clock, mayWait: context.mayWait)
            try context.call.check()
            return slot
        } catch {
            throw Stage.describe(error, .transmission, .transport, request: request)
        }
    }
}

/// An interceptor or authorizer that tried to send a request elsewhere.
struct OriginChanged: Error, CustomStringConvertible {
    let from: Origin
    let to: Origin

    var description: String { "a hook may not change a request's origin from \(from) to \(to)" }
}

/// Where the last attempt went, since interceptors may change the target.
final class SentURL: Sendable {
    private let latest = Mutex<RequestURL?>(nil)

    var url: RequestURL? {
        get { latest.withLock(\.self) }
        set { latest.withLock { $0 = newValue } }
    }
}
