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
    /// What the store makes of a request, if it knows that at once; must not wait.
    ///
    /// - Parameters:
    ///   - request: The request with its cookies, without its proof.
    ///   - context: Whom the request speaks for, and what else a store needs.
    /// - Returns: What to do; `nil` asks ``begin(_:_:)``, which is the default.
    /// - Throws: Anything; the request fails.
    func find(_ request: EncodedRequest, _ context: StoreContext) throws -> StoreStart?

    /// What the store makes of a request; may wait, for a file or for another request's response.
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

/// What a store makes of a request.
public enum StoreStart: Sendable {
    /// The request is sent, and the store wants to hear no more of it.
    case pass
    /// This is the response; nothing is sent.
    ///
    /// Say in its head where it is from (``ResponseHead/noting(_:)``).
    case response(TransportResponse)
    /// This request is sent, perhaps with conditions that the store has added; the visit learns what comes.
    ///
    /// Its origin must be the same.
    case ask(EncodedRequest, any StoreVisit)
}

/// A store's part in one attempt that is sent.
///
/// Either ``received(_:in:)`` or ``failed()`` is called, once; others may wait for that.
public protocol StoreVisit: Sendable {
    /// The head of the response has arrived.
    ///
    /// - Parameters:
    ///   - response: The response, its body unread and as it was received, before content codings are removed.
    ///   - exchange: The request as it was sent, with its proof, and the times.
    /// - Returns: The response to go on with: this one, or one of the store's, for which this one has said that it is
    ///   still right (304); and what sees the body's bytes.
    func received(_ response: TransportResponse, in exchange: StoreExchange) async -> StoreResponse

    /// The attempt ended without a response, or an authorizer refused its head.
    func failed()

    /// A response that may be used although the request has failed, and won't be sent again (RFC 5861 section 4).
    ///
    /// Not asked after a cancellation or the deadline. Default: `nil`.
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
    /// There was no response, for the reason that the transport gives: not after a refusal by a hook or a policy.
    case error(any Error)
}

/// One exchange with the server, as a store sees it.
public struct StoreExchange: Sendable {
    /// The request as it was sent, with its cookies and its proof.
    public let request: EncodedRequest
    /// When it was passed to the transport.
    public let asked: ContinuousClock.Instant
    /// When the response's head had arrived.
    public let answered: ContinuousClock.Instant
}

/// The response that a visit goes on with.
public struct StoreResponse: Sendable {
    /// The response.
    public var response: TransportResponse
    /// What sees the body's bytes; `nil` if the store doesn't want them.
    public var tap: (any BodyTap)?

    /// Makes a response, by default without a tap.
    public init(_ response: TransportResponse, tap: (any BodyTap)? = nil) {
        self.response = response
        self.tap = tap
    }
}

/// Sees the bytes of a body while its reader takes them, each once and in order, before content codings are removed.
///
/// After an interruption, the rest that is requested follows without a seam. Either ``finish(_:)`` or ``abandon()`` is the
/// last that is called.
public protocol BodyTap: Sendable {
    /// Takes the next bytes; the reader waits for it.
    func receive(_ bytes: ByteChunk) async
    /// The body has ended as it should.
    ///
    /// For a download, whose bytes a tap never sees, the file is complete.
    func finish(_ end: ExchangeEnd) async
    /// The body broke off, its reader has stopped, or another attempt was made instead.
    func abandon()
}
