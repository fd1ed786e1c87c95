// SPDX-License-Identifier: Apache-2.0

extension Exchange {
    /// Remembers the revision of a response that has been delivered whole.
    func noteDelivery(_ head: ResponseHead, to request: EncodedRequest, redirected: Bool) {
        revalidation?.delivered(head, to: request, redirected: redirected)
    }

    /// The body of a response for its reader; its revision is remembered when it has been read to its end.
    func noted(_ end: ReceivedResponse) -> ResponseBody {
        let (body, head, request) = (end.answer.body, end.answer.head, end.request)
        if revalidation == nil { return body }
        let redirected = !end.history.hops.isEmpty
        // There may be nothing to read, as after HEAD.
        guard body.end == nil else {
            noteDelivery(head, to: request, redirected: redirected)
            return body
        }
        let source = NotedBody(body) { [self] in noteDelivery(head, to: request, redirected: redirected) }
        return ResponseBody(expectedLength: body.expectedLength, source: source)
    }
}
