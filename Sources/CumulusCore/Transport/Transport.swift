// SPDX-License-Identifier: Apache-2.0

/// Carries out one exchange: one request out, one response back.
///
/// A transport follows no redirects, keeps no cookies, decodes no content and repeats nothing that the server may
/// have seen: the pipeline above does, so behaviour is the same on every transport. One that can't keep to this says
/// so in its ``capabilities``, and the core adapts. It enforces the request's deadlines; nothing above it does.
public protocol Transport: Sendable {
    /// What this transport can do, and where it departs from the contract.
    var capabilities: TransportCapabilities { get }

    /// Sends a request and returns as soon as the final response's head has arrived.
    ///
    /// The body is pulled through ``TransportResponse/body``; dropping it ends the exchange.
    ///
    /// - Parameter request: What to send, and by when.
    /// - Returns: The final response; informational ones go to ``TransportRequest/onInformational``.
    /// - Throws: ``TransportFailure``, or `CancellationError` when the task is cancelled before the head arrives.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Whether the calling thread is one that the transport works on, which must not block.
    ///
    /// Default: false.
    var isOnOwnThread: Bool { get }
}

extension Transport {
    /// No thread is known to be the transport's.
    public var isOnOwnThread: Bool { false }
}
