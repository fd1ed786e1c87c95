// SPDX-License-Identifier: Apache-2.0

/// A hook around each attempt: it may change the request, examine the head, respond itself, or try again.
public protocol Interceptor: Hook {
    /// Handles one attempt.
    ///
    /// - Parameters:
    ///   - request: The request without its proof, which is added after the last interceptor.
    ///   - next: Continues the attempt; call it once, or again to repeat it.
    /// - Returns: The response, with its body unread.
    /// - Throws: Any error; the request fails with ``CumulusError/Code/interception``, or with the error of `next`.
    func intercept(
        _ request: EncodedRequest,
        next: Attempt
    ) async throws -> TransportResponse
}

/// The rest of an attempt: an interceptor continues with `next(request)`.
public struct Attempt: Sendable {
    let run: @Sendable (EncodedRequest) async throws -> TransportResponse

    /// Continues the attempt.
    ///
    /// - Parameter request: The request, changed or not.
    /// - Returns: The response, with its body unread.
    /// - Throws: ``CumulusError``, or `CancellationError`; rethrow it unless you return a response instead.
    public func callAsFunction(_ request: EncodedRequest) async throws -> TransportResponse { try await run(request) }
}

/// Stage 3b, around an attempt; the root's interceptor is the outermost.
struct Interception: Sendable {
    let interceptors: SettingList<any Interceptor>

    var isEmpty: Bool { interceptors.isEmpty }

    func run(_ request: EncodedRequest, attempt: Attempt) async throws -> TransportResponse {
        try await run(request, from: interceptors.startIndex, attempt: attempt)
    }

    private func run(_ request: EncodedRequest, from index: Int, attempt: Attempt) async throws -> TransportResponse {
        guard index < interceptors.endIndex else { return try await attempt(request) }
        return try await Stage.run(.interception, .interception, request: request) {
            let next = Attempt { changed in try await run(changed, from: index + 1, attempt: attempt) }
            return try await interceptors[index].intercept(request, next: next)
        }
    }
}

extension Resource.Settings {
    /// Interceptors around each attempt; the root's is the outermost.
    ///
    /// Default: none.
    public var interceptors: SettingList<any Interceptor> {
        get { self[key: InterceptorsKey.self] }
        set { self[key: InterceptorsKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/interceptors``.
enum InterceptorsKey: ListSettingKey {
    /// The type of the list's elements.
    typealias Element = any Interceptor
}
