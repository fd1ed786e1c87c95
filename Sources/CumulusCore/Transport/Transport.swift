// SPDX-License-Identifier: Apache-2.0

/// Performs one exchange: sends one request and returns its response.
///
/// A transport follows no redirects, stores no cookies, decodes no content and sends nothing twice: the pipeline above
/// does, so the behaviour is the same on every transport. A transport that departs from this
/// says so in its ``capabilities``, and the core adapts. It enforces the request's deadlines; nothing above it does.
public protocol Transport: Sendable {
    /// What this transport can do, and where it departs from the contract.
    var capabilities: TransportCapabilities { get }

    /// Sends a request and returns as soon as the final response's head has arrived.
    ///
    /// The body is read from ``TransportResponse/body``; dropping it ends the exchange.
    ///
    /// - Parameter request: The request, with its deadlines.
    /// - Returns: The final response; informational ones are passed to ``TransportRequest/onInformational``.
    /// - Throws: ``TransportFailure``, or `CancellationError` when the task is cancelled before the head arrives.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Whether the calling thread is one of the transport's own, which must not block.
    ///
    /// Default: false.
    var isOnOwnThread: Bool { get }

    /// Whom the transport itself speaks for at an origin, as with a client's certificate.
    ///
    /// Default: `nil`, for nobody.
    func identity(at origin: Origin) -> AuthorizerIdentity?
}

extension Transport {
    /// False: no thread is known to be the transport's.
    public var isOnOwnThread: Bool { false }

    /// `nil`.
    public func identity(at origin: Origin) -> AuthorizerIdentity? { nil }
}

/// The transport of places from which nothing is sent.
struct NoTransport: Transport {
    var capabilities: TransportCapabilities { TransportCapabilities() }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw TransportFailure(.invalidRequest, "the call has no URL", fate: .unsent)
    }
}
