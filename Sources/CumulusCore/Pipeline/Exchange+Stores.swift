// SPDX-License-Identifier: Apache-2.0

extension Exchange {
    /// The stores from the settings, outermost first.
    static func stores(_ settings: SettingValues) -> [any AnswerStore] {
        var stores: [any AnswerStore] = []
        if let revalidation = Revalidation(settings) { stores.append(revalidation) }
        if let cache = settings.value(CacheKey.self) { stores.append(cache) }
        return stores
    }

    /// The request as the stores change it, or a store's response, as the outer stores see it.
    func open(
        _ request: EncodedRequest,
        _ stores: [any AnswerStore]
    ) async throws -> (asked: EncodedRequest, answer: TransportResponse?) {
        var asked = request
        for (index, store) in stores.enumerated() {
            switch try await store.open(asked) {
            case .ask(let changed): asked = changed
            case .answer(let answer): return (asked, try await close(answer, to: asked, Trail(), stores[..<index]))
            }
        }
        return (asked, nil)
    }

    /// The response as the stores change it, innermost first.
    func close(
        _ answer: TransportResponse,
        to request: EncodedRequest,
        _ trail: Trail,
        _ stores: ArraySlice<any AnswerStore>
    ) async throws -> TransportResponse {
        var closed = answer
        do {
            for store in stores.reversed() {
                closed = try await store.close(closed, to: request, redirected: !trail.hops.isEmpty)
            }
            return closed
        } catch {
            closed.body.cancel()
            throw error
        }
    }

    /// Tells the stores that a response has been delivered whole.
    func noteDelivery(_ head: ResponseHead, to request: EncodedRequest, redirected: Bool) {
        for store in stores { store.delivered(head, to: request, redirected: redirected) }
    }

    /// The body of a response for its reader; the stores learn when it has been read to its end.
    func noted(_ end: Arrival) -> ResponseBody {
        let (body, head, request) = (end.answer.body, end.answer.head, end.request)
        if stores.isEmpty { return body }
        let redirected = !end.trail.hops.isEmpty
        // There may be nothing to read, as after HEAD.
        guard body.end == nil else {
            noteDelivery(head, to: request, redirected: redirected)
            return body
        }
        let source = NotedBody(body) { [self] in noteDelivery(head, to: request, redirected: redirected) }
        return ResponseBody(expectedLength: body.expectedLength, source: source)
    }
}
