// SPDX-License-Identifier: Apache-2.0

/// Stage 3a, around a call's attempts: may answer in the server's place, and sees what the server answered.
///
/// Conditions are one (``Revalidation``); a cache will be another. They stand around each other, the first outermost.
protocol AnswerStore: Sendable {
    /// Looks at a request before its first attempt.
    func open(_ request: EncodedRequest) async throws -> StoreOpening

    /// Looks at the answer to it, before anybody else does; may put another in its place.
    func close(
        _ answer: TransportResponse,
        to request: EncodedRequest,
        redirected: Bool
    ) async throws -> TransportResponse
}

/// What a store makes of a request.
enum StoreOpening: Sendable {
    /// It is sent, perhaps with conditions.
    case ask(EncodedRequest)
    /// It is not sent: this is the answer.
    case answer(TransportResponse)
}

/// The key of what stores answers; the cache comes with resilience.
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
