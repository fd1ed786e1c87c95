// SPDX-License-Identifier: Apache-2.0

/// Stores responses and returns them for later requests: a cache, or the recording of a service.
///
/// Set a store as ``Resource/Settings/responseStore``. Each attempt checks it after the interceptors and the cookies,
/// and before authorization. A response from the store needs no slot of a limit, no permit of a rate limit, and no
/// token. A redirect, a retry and the request after a challenge are separate attempts. Requests for the remaining bytes
/// of an interrupted body don't use a store.
///
/// A store that can decide without waiting implements ``find(_:_:)``; a store that has to wait implements
/// ``begin(_:_:)``. An error from either method fails the request, like an interceptor's error, so a store that can't
/// read a stored response should return ``StoreStart/pass`` instead.
public protocol ResponseStore: Sendable {
    /// Decides what to do with a request, if the store can do so immediately.
    ///
    /// It must not wait.
    ///
    /// - Parameters:
    ///   - request: The request with its cookies. It has conditions only if the caller has set some, and nothing that
    ///     authorizers add.
    ///   - context: The user on whose behalf it is sent, and other facts that a store needs.
    /// - Returns: The decision; `nil` if ``begin(_:_:)`` must decide, which is the default.
    /// - Throws: Any error; the request fails.
    func find(_ request: EncodedRequest, _ context: StoreContext) throws -> StoreStart?

    /// Decides what to do with a request, if necessary after waiting for a file or for another request's response.
    ///
    /// It runs in its own task, which ends when the call is cancelled or its deadline passes. The request doesn't hold
    /// a slot in the meantime. Default: ``StoreStart/pass``.
    func begin(_ request: EncodedRequest, _ context: StoreContext) async throws -> StoreStart
}

extension ResponseStore {
    /// Returns `nil`.
    public func find(_ request: EncodedRequest, _ context: StoreContext) throws -> StoreStart? { nil }

    /// Returns ``StoreStart/pass``.
    public func begin(_ request: EncodedRequest, _ context: StoreContext) async throws -> StoreStart { .pass }
}

/// A store's decision about a request.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum StoreStart: Sendable {
    /// The request is sent, and the store isn't notified of the response.
    case pass
    /// The store's response. Nothing is sent, and nothing is retried. Interceptors receive it like any other response.
    ///
    /// Record its source in its head (``ResponseHead/noting(_:)``). A body with `Content-Encoding` is decoded.
    case response(TransportResponse)
    /// This request is sent, possibly with conditions that the store has added, and the visit receives the response.
    ///
    /// Its origin must be the same.
    case ask(EncodedRequest, any StoreVisit)
}

/// A store's handling of one attempt that is sent.
///
/// Either ``received(_:in:)`` or ``failed()`` is called exactly once, so that other requests can wait in
/// ``ResponseStore/begin(_:_:)`` until then. Each attempt has its own visit. After either call, ``fallback(after:)`` of
/// the last visit may be called.
///
/// While a visit works, the call may hold the slot of a limit, and no deadline ends the work. It must not send requests
/// or wait for other calls.
public protocol StoreVisit: Sendable {
    /// Receives the head of a response, regardless of its status.
    ///
    /// - Parameters:
    ///   - response: The response. Its body is unread and as it was received, before content codings are removed.
    ///   - exchange: The request as it was sent, and the times.
    /// - Returns: A response and optionally a tap, which receives the body's bytes. The response is either the received
    ///   one, perhaps with a different head, or, if the received one is a 304 that confirms it, the store's own. In the
    ///   second case, the body of the received response is discarded, so don't read or wrap it.
    func received(_ response: TransportResponse, in exchange: StoreExchange) async -> StoreResponse

    /// Reports that the attempt ended without a response, or that an authorizer threw in ``Authorizer/examine(_:of:)``.
    func failed()

    /// Returns a response to use although the request has failed and won't be sent again (RFC 5861 section 4).
    ///
    /// The response is treated like any other: a 200 is a success. It isn't called after a cancellation or the
    /// deadline, or if a body is interrupted. Default: `nil`.
    func fallback(after failure: StoreFailure) async -> TransportResponse?
}

extension StoreVisit {
    /// Returns `nil`.
    public func fallback(after failure: StoreFailure) async -> TransportResponse? { nil }
}

/// A failure after which a store may return a response that it wouldn't otherwise return.
public enum StoreFailure: Sendable {
    /// The last response has this status, which is 500 or higher.
    case status(ResponseHead)
    /// No response arrived, for a reason that may be temporary (``CumulusError/isTransient``). The error is a
    /// ``CumulusError``.
    ///
    /// Refusals by a hook or a policy, and servers that couldn't authenticate themselves, are not reported to stores.
    case error(any Error)
}

/// One exchange with the server, from a store's point of view.
public struct StoreExchange: Sendable {
    /// The request as it was sent, with its cookies and its credentials, which a store must not store.
    public let request: EncodedRequest
    /// The time when the request was passed to the transport, on the call's clock.
    public let requestTime: ContinuousClock.Instant
    /// The time when the response's head arrived, on the call's clock.
    public let responseTime: ContinuousClock.Instant
}

/// The response with which a visit continues.
public struct StoreResponse: Sendable {
    /// The response.
    public var response: TransportResponse
    /// The tap that receives the body's bytes; `nil` if the store doesn't need them.
    public var tap: (any BodyTap)?
    /// Whether the request must be sent again, as a new attempt that checks the stores again.
    ///
    /// Default: false.
    ///
    /// Set it only for a 304 to the store's own conditions that matches no stored response: the caller set no condition
    /// and can't use it. A second such response in a call is delivered.
    public var needsRepetition = false

    /// Creates a response, by default without a tap.
    public init(_ response: TransportResponse, tap: (any BodyTap)? = nil) {
        self.response = response
        self.tap = tap
    }
}

/// Receives the bytes of a body while its reader reads them, each byte once and in order, before content codings are
/// removed.
///
/// A body that has arrived as a whole, without a content coding, may be passed to the tap before its reader reads it.
/// If an interrupted body is resumed, its remaining bytes follow directly. Either ``finish(_:)`` or ``abandon()`` is
/// called last. A body that an interceptor replaces, or a policy reads, is abandoned. Like a ``StoreVisit``, a tap must
/// not send requests.
public protocol BodyTap: Sendable {
    /// Receives the next bytes; the reader waits until it returns.
    func receive(_ bytes: ByteChunk) async
    /// Reports that the body has ended as expected, and could be decoded.
    ///
    /// For a download, whose bytes a tap never sees, the file is complete.
    func finish(_ end: ExchangeEnd) async
    /// Reports that the body was interrupted, its reader has stopped, or a new attempt was made instead.
    func abandon()
}
