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
}
