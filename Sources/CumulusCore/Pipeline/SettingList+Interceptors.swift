// SPDX-License-Identifier: Apache-2.0

extension SettingList where Element == any Interceptor {
    /// Adds a closure as an interceptor, which may wait:
    /// `site.interceptors.append { request, next in try await next(request) }`.
    public mutating func append(
        _ intercept: @escaping @Sendable (_ request: EncodedRequest, _ next: Attempt) async throws -> TransportResponse
    ) {
        append(InterceptingClosure(run: intercept))
    }
}

/// A closure as an interceptor.
struct InterceptingClosure: Interceptor {
    let run: @Sendable (EncodedRequest, Attempt) async throws -> TransportResponse

    func intercept(_ request: EncodedRequest, next: Attempt) async throws -> TransportResponse {
        try await run(request, next)
    }
}
