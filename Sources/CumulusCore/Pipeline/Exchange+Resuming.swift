// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Exchange {
    /// Makes the body resumable after an interruption, if it is long and has a strong tag; otherwise leaves it
    /// unchanged.
    func resume(_ end: inout ReceivedResponse, upTo limit: Int64) {
        // Short bodies are excluded before their fields are read.
        guard resumes, let length = end.answer.body.expectedLength, length >= ResumingBody.shortest, length <= limit
        else { return }
        let (answer, request) = (end.answer, end.request)
        guard request.method == .get, answer.head.status == .ok, request.headers[.range] == nil,
            !answer.head.headers.isPart(length: length)
        else { return }
        let codings = answer.head.headers.codings
        // What a transport has decoded has other bytes than those that ranges count.
        guard codings.isEmpty || !transmission.capabilities.decodesContent else { return }
        let known = RemoteState(answer.head.headers, length: length)
        guard known.entityTag != nil, recovery.rules.retry != nil, !end.call.checksBody else { return }
        let call = end.call
        let exchanges = CallExchanges(end.history, request, after: answer.head.earlier)
        let source = ResumingBody(answer.body, of: known, after: exchanges, since: call.started, on: clock) {
            [self] number, timing in
            recovery.resumption(number, of: request, told: timing, call)
        } pause: { [clock] decision, question in
            let delay = decision.delay ?? .zero
            if let observation = call.observation {
                observation.tell(.retry(decision))
                observation.tell(.again(.resume, request.asking(question), after: delay))
            }
            try await call.pause(for: delay, on: clock, before: request)
        } reopen: { [self] question, history in
            let next = request.asking(question)
            // It continues at the redirects' destination, with no more fields than they kept.
            let exchanged = try await send(next, call, for: .continuation, isRest: true, retries: false, after: history)
            let (head, body) = (exchanged.answer.head, exchanged.answer.body)
            let check = RangeCheck(question, head.status, head.headers, announced: body.expectedLength)
            var isRest = false
            if exchanged.isOwn, case .part(length - question.start, _) = check { isRest = true } else { body.cancel() }
            let timing = ServerTiming(head.headers, status: head.status, now: Date())
            return ResumingBody.Rest(
                exchanges: CallExchanges(exchanged.history, exchanged.request, after: head.earlier),
                status: head.status,
                mayPass: head.status.kind != .successful
                    && recovery.mayPass(head.status, of: request, isLimited: timing != nil),
                timing: timing,
                body: isRest ? body : nil
            )
        }
        end.resuming = source
        end.answer = TransportResponse(head: answer.head, body: ResponseBody(expectedLength: length, source: source))
    }
}

extension EncodedRequest {
    /// The same for the rest of its response.
    fileprivate func asking(_ question: RangeQuestion) -> EncodedRequest {
        var next = self
        for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince, .ifRange] { next.headers[name] = nil }
        question.add(to: &next.headers)
        return next
    }
}
