// SPDX-License-Identifier: Apache-2.0

/// Stage 3a, around a call's attempts: may answer instead of the server, and sees the server's answer.
///
/// Conditions are one store (``Revalidation``); a cache will be another. They are nested, the first outermost.
protocol AnswerStore: Sendable {
    /// Examines a request before its first attempt.
    func open(_ request: EncodedRequest) async throws -> StoreOpening

    /// Examines the answer before all others; may replace it.
    func close(
        _ answer: TransportResponse,
        to request: EncodedRequest,
        redirected: Bool
    ) async throws -> TransportResponse

    /// Learns that an answer's body has been delivered whole; for bodies that break off it isn't called.
    func delivered(_ head: ResponseHead, to request: EncodedRequest, redirected: Bool)
}

extension AnswerStore {
    func delivered(_ head: ResponseHead, to request: EncodedRequest, redirected: Bool) {}
}

/// A store's decision about a request.
enum StoreOpening: Sendable {
    /// Send it, possibly with conditions.
    case ask(EncodedRequest)
    /// Don't send it: this is the answer.
    case answer(TransportResponse)
}

/// The key of the answering store; the cache comes with resilience.
enum CacheKey: SettingKey {
    static var defaultValue: (any AnswerStore)? { nil }

    static func mayWait(_ value: (any AnswerStore)?) -> Bool { value != nil }
}

extension Settings {
    var cache: (any AnswerStore)? {
        get { self[CacheKey.self] }
        set { self[CacheKey.self] = newValue }
    }
}
