// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Exchange {
    /// The answer with a body that can be gone on with, where it is long and known by a strong tag; else as it is.
    func mending(
        _ answer: TransportResponse,
        _ request: EncodedRequest,
        _ pass: RequestPass?,
        started: Moment,
        log: RequestLog.Call?
    ) -> TransportResponse {
        // Short ones pass before anybody looks at their fields.
        guard let length = answer.body.expectedLength, length >= MendedBody.shortest, length <= Int64(delivery.limit),
            request.method == .get, answer.head.status == .ok, request.headers[.range] == nil
        else { return answer }
        let known = RemoteState(answer.head.headers, length: length)
        guard known.entityTag != nil else { return answer }
        let source = MendedBody(answer.body, of: known, clock: transmission.clock) { [self] question in
            var next = request
            for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince] { next.headers[name] = nil }
            next.headers[.acceptEncoding] = "identity"
            next.headers[.range] = question.range
            next.headers[.ifRange] = question.condition
            let arrival = try await reach(next, pass, started: started, for: .continuation, log: log)
            let (head, body) = (arrival.answer.head, arrival.answer.body)
            let verdict = RangeVerdict(question, head.status, head.headers, announced: body.expectedLength)
            guard case .part(length - question.start, _) = verdict else {
                body.cancel()
                return nil
            }
            return body
        }
        return TransportResponse(head: answer.head, body: ResponseBody(expectedLength: length, source: source))
    }
}
