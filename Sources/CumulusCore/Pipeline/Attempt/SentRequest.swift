// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// A request as it was finally sent, since hooks may change it.
struct SentRequest: Sendable {
    private struct Parts: Sendable {
        let plain: EncodedRequest
        let authorized: EncodedRequest
        let applied: AppliedAuthorizers
        var visits: StoreVisits?
        var lookup: StoreLookup?
        var user: StorePartition.Parts?
        var isStored = false
        var isRenewed = false
    }

    // One reference: the ends of attempts are copied, and most don't have it.
    private var parts: Shared<Parts>

    /// The request as the interceptors changed it.
    var plain: EncodedRequest { parts.value.plain }
    /// The request with its cookies and credentials.
    var authorized: EncodedRequest { parts.value.authorized }
    /// The authorizers that added the credentials.
    var applied: AppliedAuthorizers { parts.value.applied }
    /// The stores' part in the attempt; `nil` without stores.
    var visits: StoreVisits? {
        get { parts.value.visits }
        set { parts.value.visits = newValue }
    }
    /// The lookup in the stores; `nil` if the user can't change during the attempt.
    var lookup: StoreLookup? {
        get { parts.value.lookup }
        set { parts.value.lookup = newValue }
    }
    /// The user for which it was authorized, and its route; `nil` if they aren't needed.
    var user: StorePartition.Parts? {
        get { parts.value.user }
        set { parts.value.user = newValue }
    }
    /// Whether a store has returned the response.
    ///
    /// Nothing was sent, so nothing is sent again.
    var isStored: Bool {
        get { parts.value.isStored }
        set { parts.value.isStored = newValue }
    }
    /// Whether it was authorized again after an exchange.
    var isRenewed: Bool {
        get { parts.value.isRenewed }
        set { parts.value.isRenewed = newValue }
    }

    /// Creates a request without credentials.
    init(_ plain: EncodedRequest) { self.init(plain, authorized: plain) }

    /// Creates a request with credentials.
    init(_ plain: EncodedRequest, authorized: EncodedRequest, by applied: AppliedAuthorizers = AppliedAuthorizers()) {
        parts = Shared(Parts(plain: plain, authorized: authorized, applied: applied))
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
