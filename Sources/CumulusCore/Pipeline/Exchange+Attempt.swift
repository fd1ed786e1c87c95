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
    ) async -> (result: Result<TransportResponse, any Error>, sentTo: RequestURL?) {
        do {
            if interception.isEmpty { return (.success(try await send(request, context)), nil) }
            let sent = SentURL()
            do {
                let answer = try await intercepted(request, context, noting: sent)
                return (.success(answer), sent.url)
            } catch {
                return (.failure(error), sent.url)
            }
        } catch {
            return (.failure(error), nil)
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
        var authorized = plain
        if context.mayAuthorize, !authorization.authorizers.isEmpty {
            authorized = try await Stage.run(.authorization, .authorization, request: plain, wrapping: true) {
                try await authorization.authorize(plain, mayAuthorize: true)
            }
        }
        // From here on no code of the user's runs, and nothing waits, until the head is there.
        let slot = try await slot(for: plain, context)
        context.call.log?.sending(authorized)
        // Errors show the request as it was before it had its proof.
        let answer = try await transmission.send(
            progress.counting(pacing.pacing(authorized), of: authorized.body),
            shownAs: plain,
            context.call,
            isDownload: context.isDownload,
            offersIdentity: context.mayAuthorize
        )
        context.call.log?.received(answer.head)
        guard let slot else { return answer }
        let body = LimitedBody(answer.body, slot, of: limit, context.call, on: clock, loan: context.loan)
        return TransportResponse(
            head: answer.head,
            body: ResponseBody(expectedLength: answer.body.expectedLength, source: body)
        )
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
private final class SentURL: Sendable {
    private let latest = Mutex<RequestURL?>(nil)

    var url: RequestURL? {
        get { latest.withLock(\.self) }
        set { latest.withLock { $0 = newValue } }
    }
}
