// SPDX-License-Identifier: Apache-2.0

/// A hook around each attempt.
///
/// It may change the request, examine the head, return its own response, or try again.
///
/// It receives the request without its credentials, which are added after the last interceptor. It continues with
/// `next(request)`: once, or again to repeat the attempt. It returns the response with its body unread. If it throws
/// its own error, the request fails with ``CumulusError/Code/interception``; an error from `next` stays unchanged. A
/// method of your own type also works: `site.setRules { $0.interceptors.append(tracer.intercept) }`.
public typealias Interceptor =
    @Sendable (_ request: EncodedRequest, _ next: InterceptorChain) async throws -> TransportResponse

/// The remaining part of an attempt, which an interceptor continues with `next(request)`.
public struct InterceptorChain: Sendable {
    let run: @Sendable (EncodedRequest) async throws -> TransportResponse

    /// Continues the attempt.
    ///
    /// Once the interceptor has returned, `next` throws and sends nothing.
    ///
    /// - Parameter request: The request, changed or not.
    /// - Returns: The response, with its body unread.
    /// - Throws: ``CumulusError``, or `CancellationError`; rethrow it unless you return a response instead.
    public func callAsFunction(_ request: EncodedRequest) async throws -> TransportResponse { try await run(request) }
}

extension Resource.Settings {
    /// Interceptors around each attempt; the root's is the outermost.
    ///
    /// Default: none.
    public var interceptors: SettingList<Interceptor> {
        get { self[key: InterceptorsKey.self] }
        set { self[key: InterceptorsKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/interceptors``.
enum InterceptorsKey: ListSettingKey {
    /// The type of the list's elements.
    typealias Element = Interceptor
}
