// SPDX-License-Identifier: Apache-2.0

/// Performs one exchange: sends one request and returns its response.
///
/// A transport doesn't follow redirects, store cookies, decode content or send anything twice. The pipeline above it
/// does all of this, so the behavior is the same on every transport. A transport that differs declares this in its
/// ``capabilities``, and the core adapts. Only the transport enforces the request's deadlines.
public protocol Transport: Sendable {
    /// The features of this transport, and its deviations from the contract.
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

    /// Returns the client that the transport represents at an origin, such as one with a certificate, and the route to
    /// the origin's servers. Responses belong to both.
    ///
    /// It is called for each request that a ``ResponseStore`` sees, so it must be fast. A transport that wraps another
    /// returns the inner transport's identity. If in doubt, return ``TransportIdentity/unknown``: no response is then
    /// stored.
    func identity(at origin: Origin) -> TransportIdentity
}

extension Transport {
    /// The default: false, since no thread is known to belong to the transport.
    public var isOnOwnThread: Bool { false }
}
