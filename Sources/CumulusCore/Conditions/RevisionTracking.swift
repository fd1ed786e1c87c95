// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The store of `tracksRevisions`: makes requests conditional, and remembers the revisions of the representations that
/// were delivered.
struct RevisionTracking: ResponseStore {
    private let tracks: Bool
    private let conditions: Conditions
    private let policy: CachePolicy
    private let neutral: NeutralHeaders

    /// `nil` if nothing is tracked or compared.
    init?(_ settings: SettingValues) {
        tracks = settings.value(TracksRevisionsKey.self)
        conditions = settings.value(ConditionsKey.self)
        policy = settings.value(CachePolicyKey.self)
        neutral = NeutralHeaders(settings.value(NeutralHeadersKey.self))
        if !tracks, !conditions.ifUnchanged { return nil }
    }

    func find(_ request: EncodedRequest, _ context: StoreContext) throws -> StoreStart? {
        guard let (store, place) = memory(context) else { return .pass }
        let fields = fields(of: context)
        var asked = request
        let call = context.request
        if !request.headers.hasConditions {
            if request.isReading, tracks, !call.wantsValue, !policy.wantsFresh, request.headers[.range] == nil {
                let known = store.revision(at: place, of: call.variant(for: context.user, fields))
                if let tag = known?.tag { asked.headers[fields: .ifNoneMatch] = [HTTPField(name: .ifNoneMatch, tag)] }
                asked.headers[.ifModifiedSince] = known?.lastModified
            } else if conditions.ifUnchanged, [.put, .patch, .delete].contains(request.method) {
                try guardChange(&asked, by: store.latest(at: place, for: fields)?.revision, of: call)
            }
        }
        guard let visit = visit(context) else { return .ask(asked, Visit()) }
        return .ask(asked, visit)
    }

    /// The visit that remembers the revision of a response from the server or a store; `nil` if nothing is remembered.
    func visit(_ context: StoreContext) -> (any StoreVisit)? {
        guard tracks, policy.mayRemember, let (store, place) = memory(context) else { return nil }
        var fields = fields(of: context)
        // The new revision is stored for the same fields as the one that the request has changed.
        if !context.request.isReading { fields = store.latest(at: place, for: fields)?.fields ?? fields }
        return Visit(store: store, place: place, variant: context.request.variant(for: context.user, fields))
    }

    /// The fields of a call, without those of interceptors, that aren't neutral.
    private func fields(of context: StoreContext) -> Set<IdentityDigest> {
        Set(neutral.others(of: context.request).map { IdentityDigest($0) })
    }

    /// Where the revisions of a call are remembered; `nil` after a redirect, which leads to another place.
    private func memory(_ context: StoreContext) -> (RevisionStore, RevisionStore.Place)? {
        let request = context.request
        guard context.memory.redirects.isEmpty, let store = request.resource?.tree.revisions else { return nil }
        return (store, RevisionStore.Place(origin: request.origin, target: request.target, partition: context.identity))
    }

    private func guardChange(
        _ request: inout EncodedRequest,
        by known: Revision?,
        of shown: EncodedRequest
    ) throws {
        if let tag = conditions.sendsWeakTags ? known?.tag : known?.strongTag {
            request.headers[fields: .ifMatch] = [HTTPField(name: .ifMatch, tag)]
        } else if let date = known?.lastModified {
            request.headers[.ifUnmodifiedSince] = date
        } else {
            let reason =
                known != nil
                ? "the entity tag is weak (set `sendsWeakTags` for services that compare weak tags; if only compressed "
                    + "bodies have weak tags, set `ifUnchanged` before the document is fetched)"
                : tracks
                    ? "no revision is known; fetch the resource first"
                    : "no revision is known; `tracksRevisions` is off, so revisions are not remembered"
            throw CumulusError(
                .invalidRequest,
                stage: .encoding,
                "`ifUnchanged` is not possible: \(reason)",
                request: shown
            )
        }
    }

    private struct Visit: StoreVisit {
        var store: RevisionStore?
        var place: RevisionStore.Place?
        var variant: RevisionStore.Variant?

        func received(_ response: TransportResponse, in exchange: StoreExchange) async -> StoreResponse {
            let status = response.head.status
            guard let store, let place, let variant,
                status.kind == .successful && !isPart(response) || status == .notModified,
                let revision = Revision(response.head.headers)
            else { return StoreResponse(response) }
            return StoreResponse(response, tap: Tap { store.remember(revision, at: place, of: variant) })
        }

        func failed() {}

        private func isPart(_ response: TransportResponse) -> Bool {
            let headers = response.head.headers
            return response.head.status == .partialContent || headers.isPart(length: response.body.expectedLength)
        }
    }

    /// Remembers a revision when its body has been delivered whole; without one, the known revision is kept.
    ///
    /// Not before: the caller would get 304 for a version that it never had.
    private struct Tap: BodyTap {
        let remember: @Sendable () -> Void

        func receive(_ bytes: ByteChunk) async {}
        func finish(_ end: ExchangeEnd) async { remember() }
        func abandon() {}
    }
}

extension HTTPFields {
    private static let conditions: [HTTPField.Name] = [
        .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange,
    ]

    /// Whether there is a field that makes a request conditional (RFC 9110 section 13.1).
    var hasConditions: Bool { HTTPFields.conditions.contains { self[$0] != nil } }
}

extension EncodedRequest {
    var isReading: Bool { method == .get || method == .head }

    fileprivate func variant(for user: StorePartition, _ fields: Set<IdentityDigest>) -> RevisionStore.Variant {
        // Accepting anything is the same as having no `Accept` (RFC 9110 section 12.5.1).
        RevisionStore.Variant(
            method: method.rawValue,
            accept: headers[.accept] == "*/*" ? nil : headers[.accept],
            language: headers[.acceptLanguage],
            user: user,
            fields: fields
        )
    }
}
