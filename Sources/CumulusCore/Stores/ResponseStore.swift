// SPDX-License-Identifier: Apache-2.0

/// Keeps responses, and gives them to later requests: a cache, or the recording of a service.
///
/// Set one as ``Resource/Settings/responseStore``. Each attempt asks it after the interceptors and the cookies, and before
/// the proof: a response that the store has needs no slot of a limit, no turn, and no token. A redirect, a retry and the
/// answer to a challenge are attempts of their own; the rest of a body that broke off asks no store.
///
/// A store that can say at once what it has implements ``find(_:_:)``, one that has to wait ``begin(_:_:)``. What they
/// throw fails the request as an interceptor's error does, so a store that can't read what it has kept should pass instead.
public protocol ResponseStore: Sendable {
    /// What to do with a request, if the store knows that at once; must not wait.
    ///
    /// - Parameters:
    ///   - request: The request with its cookies, and with conditions only if the caller has set some; without what
    ///     authorizers add.
    ///   - context: On whose behalf it is sent, and what else a store needs.
    /// - Returns: What to do; `nil` asks ``begin(_:_:)``, which is the default.
    /// - Throws: Anything; the request fails.
    func find(_ request: EncodedRequest, _ context: StoreContext) throws -> StoreStart?

    /// What to do with a request; may wait, for a file or for another request's response.
    ///
    /// It runs in a task of its own, which the call's cancellation and its deadline end. The request holds no slot
    /// meanwhile. Default: ``StoreStart/pass``.
    func begin(_ request: EncodedRequest, _ context: StoreContext) async throws -> StoreStart
}

extension ResponseStore {
    /// `nil`.
    public func find(_ request: EncodedRequest, _ context: StoreContext) throws -> StoreStart? { nil }

    /// Passes.
    public func begin(_ request: EncodedRequest, _ context: StoreContext) async throws -> StoreStart { .pass }
}

/// What to do with a request.
public enum StoreStart: Sendable {
    /// The request is sent, and the store isn't told of the response.
    case pass
    /// This is the response; nothing is sent, and nothing is retried. Interceptors get it as they get any other.
    ///
    /// Say in its head where it is from (``ResponseHead/noting(_:)``). A body with `Content-Encoding` is decoded.
    case response(TransportResponse)
    /// This request is sent, perhaps with conditions that the store has added; the visit is given the response.
    ///
    /// Its origin must be the same.
    case ask(EncodedRequest, any StoreVisit)
}

/// A store's part in one attempt that is sent.
///
/// Either ``received(_:in:)`` or ``failed()`` is called, once, so that other requests can wait in
/// ``ResponseStore/begin(_:_:)`` until then. Each attempt has its own visit; ``fallback(after:)`` of the last one may
/// follow either.
///
/// While a visit works, the call may hold the slot of a limit, and no deadline ends the work: it must not send requests,
/// nor wait for other calls.
public protocol StoreVisit: Sendable {
    /// The head of a response has arrived, of whatever status.
    ///
    /// - Parameters:
    ///   - response: The response, its body unread and as it was received, before content codings are removed.
    ///   - exchange: The request as it was sent, and the times.
    /// - Returns: This response, perhaps with another head; or the store's own, if this one is a 304, which confirms it.
    ///   Then this one's body is discarded, so don't read or wrap it. And the tap that is given the body's bytes, if any.
    func received(_ response: TransportResponse, in exchange: StoreExchange) async -> StoreResponse

    /// The attempt ended without a response, or an authorizer threw in ``Authorizer/examine(_:of:)``.
    func failed()

    /// A response to use although the request has failed, and won't be sent again (RFC 5861 section 4).
    ///
    /// It counts as any response: a 200 is a success. Not asked after a cancellation or the deadline, nor for a body that
    /// breaks off. Default: `nil`.
    func fallback(after failure: StoreFailure) async -> TransportResponse?
}

extension StoreVisit {
    /// `nil`.
    public func fallback(after failure: StoreFailure) async -> TransportResponse? { nil }
}

/// Why a store may offer a response that it would not give otherwise.
public enum StoreFailure: Sendable {
    /// The last response has this status, of 500 or higher.
    case status(ResponseHead)
    /// There was no response, for a reason that may pass (``CumulusError/isTransient``): a ``CumulusError``.
    ///
    /// Not asked if a hook or a policy has refused the request, nor if the server could not prove who it is.
    case error(any Error)
}

/// One exchange with the server, as a store sees it.
public struct StoreExchange: Sendable {
    /// The request as it was sent, with its cookies and its proof, which a store must not keep.
    public let request: EncodedRequest
    /// When it was passed to the transport, on the call's clock.
    public let asked: ContinuousClock.Instant
    /// When the response's head had arrived, on the call's clock.
    public let answered: ContinuousClock.Instant
}

/// The response that a visit goes on with.
public struct StoreResponse: Sendable {
    /// The response.
    public var response: TransportResponse
    /// The tap that is given the body's bytes; `nil` if the store doesn't want them.
    public var tap: (any BodyTap)?
    /// Whether the request must be sent again, as a new attempt that asks the stores again. Default: false.
    ///
    /// Only for a 304 to the store's own conditions that matches nothing it has: the caller set no condition and can't
    /// use it. A second one in a call is delivered.
    public var needsRepetition = false

    /// Makes a response, by default without a tap.
    public init(_ response: TransportResponse, tap: (any BodyTap)? = nil) {
        self.response = response
        self.tap = tap
    }
}

/// Is given the bytes of a body while its reader takes them, each once and in order, before content codings are removed.
///
/// If a broken body is resumed, its rest follows directly. Either ``finish(_:)`` or ``abandon()`` is called last; a body
/// that an interceptor replaces, or a policy reads, is abandoned. As in a ``StoreVisit``, nothing may be sent here.
public protocol BodyTap: Sendable {
    /// Takes the next bytes; the reader waits for it.
    func receive(_ bytes: ByteChunk) async
    /// The body has ended as it should, and could be decoded.
    ///
    /// For a download, whose bytes a tap never sees, the file is complete.
    func finish(_ end: ExchangeEnd) async
    /// The body broke off, its reader has stopped, or another attempt was made instead.
    func abandon()
}
