// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// Stage 3a, around a call's attempts: adds the conditions to a request, and remembers the response's revision.
struct Revalidation: Sendable {
    private static let fields: [HTTPField.Name] = [
        .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange,
    ]

    private let tracks: Bool
    private let conditions: Conditions
    private let policy: CachePolicy
    /// What requests without a field of their own accept.
    private let acceptedCodings: String?

    /// `nil` if nothing is tracked and no condition is set.
    init?(_ settings: SettingValues, acceptedCodings: String?) {
        self.acceptedCodings = acceptedCodings
        tracks = settings.value(TracksRevisionsKey.self)
        conditions = settings.value(ConditionsKey.self)
        policy = settings.value(CachePolicyKey.self)
        if !tracks, conditions == .none { return nil }
    }

    /// The request with its conditions; unchanged if it has its own.
    func prepare(_ request: EncodedRequest) throws -> EncodedRequest {
        if Revalidation.fields.contains(where: { request.headers[$0] != nil }) { return request }
        var prepared = request
        try addNamed(to: &prepared)
        if tracks, conditions.ifUnchanged {
            let asked = request.headers[.acceptEncoding]
            if asked == nil || asked == acceptedCodings {
                prepared.headers[.acceptEncoding] = "identity"
            }
        }
        if Revalidation.fields.contains(where: { prepared.headers[$0] != nil }) { return prepared }
        guard let store = request.resource?.tree.revisions else { return prepared }
        if request.isReading, tracks, !request.wantsValue, !policy.wantsFresh, request.headers[.range] == nil {
            let known = store.revision(at: request.revisionPlace, of: request.variant)
            prepared.headers[.ifNoneMatch] = known?.entityTag
            prepared.headers[.ifModifiedSince] = known?.lastModified
        } else if conditions.ifUnchanged, [.put, .patch, .delete].contains(request.method) {
            try guardChange(&prepared, by: store.latest(at: request.revisionPlace))
        }
        return prepared
    }

    private func addNamed(to request: inout EncodedRequest) throws {
        if let tag = conditions.ifNoneMatch, request.isReading || tag == "*" {
            try request.setHeader(.ifNoneMatch, to: Revalidation.quoted(tag))
        }
        if let date = conditions.ifModifiedSince, request.isReading {
            request.headers[.ifModifiedSince] = HTTPDate(date).description
        }
        guard !request.isReading else { return }
        if let tag = conditions.ifMatch { try request.setHeader(.ifMatch, to: Revalidation.quoted(tag)) }
        if let date = conditions.ifUnmodifiedSince { request.headers[.ifUnmodifiedSince] = HTTPDate(date).description }
    }

    private static func quoted(_ tag: String) -> String {
        tag == "*" || tag.begins(with: "\"") || tag.begins(with: "W/\"") ? tag : "\"\(tag)\""
    }

    private func guardChange(_ request: inout EncodedRequest, by known: Revision?) throws {
        if let tag = conditions.sendsWeakTags ? known?.entityTag : known?.strongTag {
            request.headers[.ifMatch] = tag
        } else if let date = known?.lastModified {
            request.headers[.ifUnmodifiedSince] = date
        } else {
            let reason =
                known != nil
                ? "its entity tag is weak (if only compressed bodies have a weak one, set `ifUnchanged` before the document "
                    + "is fetched; for services that compare weak tags, `sendsWeakTags`)"
                : tracks
                    ? "no revision is known; fetch the resource first"
                    : "no revision is known; `tracksRevisions` is off, so revisions are not remembered"
            throw CumulusError(
                .invalidRequest,
                stage: .encoding,
                "`ifUnchanged` is not possible: \(reason)",
                request: request
            )
        }
    }

    /// Remembers the revision of a response whose body has arrived; without one, the known revision is kept.
    ///
    /// Not before: the caller would get 304 for a version that it never had.
    func delivered(_ head: ResponseHead, to request: EncodedRequest, redirected: Bool) {
        // After a redirect, the revision is another place's.
        guard tracks, policy.mayRemember, !redirected, let store = request.resource?.tree.revisions else { return }
        let status = head.status
        if status.kind == .successful && status != .partialContent || status == .notModified,
            let revision = Revision(head.headers)
        {
            store.remember(revision, at: request.revisionPlace, of: request.variant)
        }
    }
}

extension EncodedRequest {
    fileprivate var isReading: Bool { method == .get || method == .head }

    fileprivate var revisionPlace: RevisionStore.Place { RevisionStore.Place(origin: origin, target: target) }

    fileprivate var variant: RevisionStore.Variant {
        // Accepting anything is the same as having no `Accept` (RFC 9110 section 12.5.1).
        RevisionStore.Variant(
            method: method.rawValue,
            accept: headers[.accept] == "*/*" ? nil : headers[.accept],
            language: headers[.acceptLanguage]
        )
    }
}
