// SPDX-License-Identifier: Apache-2.0

/// Runs the interceptors around an attempt; the root's interceptor is the outermost.
final class InterceptorStage: Sendable {
    private let interceptors: SettingList<Interceptor>

    /// `nil` without interceptors.
    init?(_ settings: SettingValues) {
        interceptors = settings.value(InterceptorsKey.self)
        if interceptors.isEmpty { return nil }
    }

    func run(_ request: EncodedRequest, attempt: InterceptorChain) async throws -> TransportResponse {
        try await run(request, from: interceptors.startIndex, attempt: attempt)
    }

    private func run(_ request: EncodedRequest, from index: Int, attempt: InterceptorChain) async throws
        -> TransportResponse
    {
        guard index < interceptors.endIndex else { return try await attempt(request) }
        return try await Stage.run(.interception, .interception, request: request) {
            let next = InterceptorChain { [self] changed in try await run(changed, from: index + 1, attempt: attempt) }
            return try await interceptors[index](request, next)
        }
    }
}
