// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// A request as it was finally sent, since hooks may change it.
struct SentRequest: Sendable {
    /// The request as the interceptors changed it.
    let plain: EncodedRequest
    /// The request with its cookies and credentials.
    let authorized: EncodedRequest
    /// The authorizers that added the credentials.
    let applied: AppliedAuthorizers
    /// The stores' part in the attempt; `nil` without stores.
    var visits: StoreVisits?
    /// The lookup in the stores; `nil` if the user can't change during the attempt.
    var lookup: StoreLookup?
    /// The user for which it was authorized, and its route; `nil` if they aren't needed.
    var user: StorePartition.Parts?
    /// Whether a store has returned the response.
    ///
    /// Nothing was sent, so nothing is sent again.
    var isStored = false
    /// Whether it was authorized again after an exchange.
    var isRenewed = false

    /// Makes a request without credentials.
    init(_ plain: EncodedRequest) { self.init(plain, authorized: plain) }

    /// Makes a request with credentials.
    init(_ plain: EncodedRequest, authorized: EncodedRequest, by applied: AppliedAuthorizers = AppliedAuthorizers()) {
        (self.plain, self.authorized, self.applied) = (plain, authorized, applied)
    }

    /// The request as errors show it: without its credentials, and with the same names hidden, which only the authorizers
    /// know.
    var shown: EncodedRequest { plain.hiding(authorized.hiddenNames) }
}

extension EncodedRequest {
    /// The same change, with the conditions with which it was sent before.
    ///
    /// A store learns newer versions from the responses of other calls, but the caller has edited one version. A
    /// redirect or a retry must not overwrite a newer one.
    func guarded(as sent: SentRequest) -> EncodedRequest {
        if isReading || headers.hasConditions { return self }
        let fields = sent.plain.headers
        guard fields[.ifMatch] != nil || fields[.ifUnmodifiedSince] != nil else { return self }
        var guarded = self
        // The values are copied as bytes, which may not be UTF-8.
        guarded.headers[fields: .ifMatch] = fields[fields: .ifMatch]
        guarded.headers[fields: .ifUnmodifiedSince] = fields[fields: .ifUnmodifiedSince]
        return guarded
    }
}

/// The last request that an attempt has sent, since interceptors may send several.
final class SentRequestNote: Sendable {
    private struct State {
        var request: SentRequest?
        var number: Int?
    }

    private let state = Mutex(State())
    /// Whether the interceptors have returned.
    ///
    /// If one of them still has `next`, calling it sends nothing.
    let isOver = Atomic(false)

    /// Throws if the interceptors have returned.
    func check() throws { if isOver.load(ordering: .relaxed) { throw AttemptIsOver() } }

    /// The request that was sent last; `nil` before the first.
    var request: SentRequest? { state.withLock(\.request) }
    /// The number of the exchange that received the last response.
    var number: Int? { state.withLock(\.number) }

    /// Records a request that is sent, for the first time or authorized again.
    func begin(_ request: SentRequest) { state.withLock { $0.request = request } }

    func end(_ number: Int?) { state.withLock { $0.number = number } }
}
