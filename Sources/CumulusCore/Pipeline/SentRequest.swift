// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// A request as it was finally sent, since hooks may change it.
struct SentRequest: Sendable {
    /// The request as the interceptors changed it.
    let plain: EncodedRequest
    /// Its header fields with the proof, if the proof is only in fields, so that the request need not be copied.
    let fields: HTTPFields?
    /// The request with its proof, if the proof is more than fields.
    private let whole: EncodedRequest?
    /// Who made the proof.
    let applied: AppliedAuthorizers
    /// The stores' part in the attempt; `nil` without stores.
    var visits: StoreVisits?
    /// The lookup in the stores; `nil` if the user can't change during the attempt.
    var lookup: StoreLookup?
    /// Whether a store has given the response: nothing was sent, so nothing is sent again.
    var isStored = false
    /// Whether its proof was made again after an exchange.
    var isRenewed = false
    /// Makes a request without a proof.
    init(_ plain: EncodedRequest) { self.init(plain, fields: nil, by: AppliedAuthorizers()) }

    /// Makes a request with a proof in its header fields.
    init(_ plain: EncodedRequest, fields: HTTPFields?, by applied: AppliedAuthorizers) {
        self.plain = plain
        self.fields = fields
        self.applied = applied
        whole = nil
    }

    /// Makes a request with any proof.
    init(_ plain: EncodedRequest, authorized: EncodedRequest, by applied: AppliedAuthorizers = AppliedAuthorizers()) {
        self.plain = plain
        self.applied = applied
        fields = nil
        whole = authorized
    }

    /// The request with its proof, except for ``fields``.
    var unfinished: EncodedRequest { whole ?? plain }

    /// The request with its proof.
    var authorized: EncodedRequest {
        var authorized = unfinished
        if let fields { authorized.headers = fields }
        return authorized
    }

    /// The names that its authorizers have hidden, which only they know.
    var hiddenNames: [String] { whole?.hiddenNames ?? [] }

    /// The request as errors show it: without its proof, and with the same names hidden.
    var shown: EncodedRequest { plain.hiding(hiddenNames) }
}

extension EncodedRequest {
    /// The same change, guarded as it was when it was sent before.
    ///
    /// A store knows more with each response of others, but the caller has edited one version: a redirect or a retry must
    /// not overwrite a newer one.
    func guarded(as sent: SentRequest) -> EncodedRequest {
        if isReading || headers.hasConditions { return self }
        let fields = sent.plain.headers
        guard fields[.ifMatch] != nil || fields[.ifUnmodifiedSince] != nil else { return self }
        var guarded = self
        // By their bytes, which may be no UTF-8.
        guarded.headers[fields: .ifMatch] = fields[fields: .ifMatch]
        guarded.headers[fields: .ifUnmodifiedSince] = fields[fields: .ifUnmodifiedSince]
        return guarded
    }
}

/// The request that an attempt sent last, since interceptors may send several.
final class SentRequestNote: Sendable {
    private struct State {
        var request: SentRequest?
        var number: Int?
    }

    private let state = Mutex(State())
    /// Whether the interceptors have returned: `next`, if one of them has kept it, sends nothing any more.
    let isOver = Atomic(false)

    /// Whether they have, so that nothing is sent any more.
    func check() throws { if isOver.load(ordering: .relaxed) { throw AttemptIsOver() } }

    /// The request that was sent last; `nil` before the first.
    var request: SentRequest? { state.withLock(\.request) }
    /// The number of the exchange whose response came last.
    var number: Int? { state.withLock(\.number) }

    /// A request is sent, for the first time or with another authorization.
    func begin(_ request: SentRequest) { state.withLock { $0.request = request } }

    func end(_ number: Int?) { state.withLock { $0.number = number } }
}
