// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AttemptLoop {
    /// Makes the body resumable after an interruption, if it is long and has a strong entity tag; otherwise leaves it
    /// unchanged.
    func resume(_ end: inout ReceivedResponse, upTo limit: Int64) {
        // Short bodies are excluded before their fields are read.
        guard resumes, let length = end.response.body.expectedLength, length >= ResumingBody.shortest, length <= limit
        else { return }
        // Ranges count the bytes that the server sent, not those of an interceptor or a store.
        guard end.response.body.exchange != nil else { return }
        let (response, request) = (end.response, end.request)
        guard request.method == .get, response.head.status == .ok, request.headers[.range] == nil,
            !response.head.headers.isPart(length: length)
        else { return }
        let codings = response.head.headers.codings
        // A body that the transport has decoded has other bytes than those that ranges count.
        guard codings.isEmpty || !transmission.capabilities.decodesContent else { return }
        let known = RemoteState(response.head.headers, length: length)
        guard known.entityTag != nil, recovery.rules.retry != nil, !end.call.checksBody else { return }
        let (call, user, authorized) = (end.call, end.user, end.authorized)
        let source = ResumingBody(response.body, of: known, end, on: clock) { [self] number, timing in
            recovery.resumption(BrokenBody(number: number, request: request, timing: timing), call)
        } pause: { [clock] decision, range in
            let delay = decision.delay ?? .zero
            if let observation = call.observation {
                observation.tell(.retry(decision))
                observation.tell(.again(.resume, request.requesting(range), after: delay))
            }
            try await call.pause(for: delay, on: clock, before: request)
        } reopen: { [self] range, memory in
            var options = SendOptions(.continuation)
            (options.isContinuation, options.retries) = (true, false)
            // It continues at the redirects' destination, and has no fields that the redirects removed.
            let order = Recovery.first(request.requesting(range), for: .resume)
            let received = try await send(order, call, for: options, after: memory)
            let (head, body) = (received.response.head, received.response.body)
            let check = RangeCheck(range, head.status, head.headers, announced: body.expectedLength)
            var isContinuation = false
            // Another user may have logged in, and a redirect may lead to another resource with the same tag.
            let isSame =
                received.user == user && received.request.url == request.url
                && call.cookieChanges.areForSameUser(received.authorized, authorized)
            if isSame, body.exchange != nil, case .part(length - range.start, _) = check {
                isContinuation = true
            } else {
                body.cancel()
            }
            let timing = ServerTiming(head.headers, status: head.status, now: Date())
            return ResumingBody.Continuation(
                number: received.number,
                memory: received.memory,
                mayBeTemporary: head.status.kind != .successful
                    && recovery.mayBeTemporary(head.status, of: request, isLimited: timing != nil),
                timing: timing,
                body: isContinuation ? body : nil
            )
        }
        end.resuming = source
        end.response = TransportResponse(head: response.head, body: response.body.wrapped(by: source))
    }
}

extension EncodedRequest {
    /// The same request for the remaining bytes of its response.
    fileprivate func requesting(_ range: RangeRequest) -> EncodedRequest {
        var next = self
        for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince, .ifRange] { next.headers[name] = nil }
        range.add(to: &next.headers)
        return next
    }
}
