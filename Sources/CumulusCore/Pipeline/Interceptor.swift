// SPDX-License-Identifier: Apache-2.0

/// Stands around each attempt: may change what is sent, look at the head that comes, answer in its place, or try again.
public protocol Interceptor: Hook {
    /// Handles one attempt.
    ///
    /// - Parameters:
    ///   - request: The request, without its proof of identity: that is added after the last interceptor.
    ///   - next: Goes on with the attempt; call it once, or again to repeat it.
    /// - Returns: The response; its body has not been read.
    /// - Throws: Anything; the request fails with ``CumulusError/Code/interception``, or as `next` failed.
    func intercept(
        _ request: EncodedRequest,
        next: Attempt
    ) async throws -> TransportResponse
}

/// The rest of an attempt: what an interceptor goes on with by calling `next(request)`.
public struct Attempt: Sendable {
    let run: @Sendable (EncodedRequest) async throws -> TransportResponse

    /// Goes on with the attempt.
    ///
    /// - Parameter request: The request, changed or not.
    /// - Returns: The response; its body has not been read.
    /// - Throws: ``CumulusError``, or `CancellationError`; let it pass unless you answer in its place.
    public func callAsFunction(_ request: EncodedRequest) async throws -> TransportResponse { try await run(request) }
}

/// Stage 3b, around an attempt: the root's interceptor is outermost.
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

extension Settings {
    /// Interceptors around each attempt, the root's outermost.
    ///
    /// Default: none.
    public var interceptors: SettingList<any Interceptor> {
        get { self[InterceptorsKey.self] }
        set { self[InterceptorsKey.self] = newValue }
    }
}

/// The key of ``Settings/interceptors``.
enum InterceptorsKey: ListSettingKey {
    /// An interceptor.
    typealias Element = any Interceptor

    /// Where an interceptor says so.
    static func mayWait(_ value: SettingList<any Interceptor>) -> Bool { value.contains { $0.mayWait } }
}
