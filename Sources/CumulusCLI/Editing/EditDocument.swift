// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// A document to edit, with the entity tag that guards its change, or without one if `--unguarded` allows that.
struct EditDocument: Sendable {
    let response: Response
    /// `nil` for a document without a tag.
    private let guarded: GuardedDocument?

    /// The tag that guards a change.
    var entityTag: String? { guarded?.entityTag }

    /// Fetches the document.
    ///
    /// - Parameters:
    ///   - draft: The request for it.
    ///   - plan: The plan, which contains the tags that may guard it.
    ///   - isFresh: Whether caches must revalidate the document with the server.
    /// - Throws: ``EditProblem`` if there is no tag to guard it, unless the plan allows that.
    init(_ draft: RequestBuilder.Draft, _ plan: EditPlan, isFresh: Bool) async throws {
        let weakly = plan.sendsWeakTags
        let resource = draft.resource.with { $0.conditions.sendsWeakTags = weakly }
        do {
            let guarded = try await GuardedDocument(
                resource,
                query: draft.query,
                headers: draft.headers,
                isFresh: isFresh
            )
            (response, self.guarded) = (guarded.response, guarded)
        } catch let error as CumulusError where error.code == .invalidRequest {
            guard let response = error.response else { throw error }
            guard plan.isUnguarded else {
                throw EditProblem(reason: "\(error.message); use --unguarded to write it anyway")
            }
            (self.response, guarded) = (response, nil)
        }
    }

    /// The change as the request's payload.
    func payload(to changed: JSON, by method: UpdateMethod) throws -> Payload {
        if let guarded { return try guarded.payload(from: guarded.json, to: changed, by: method) }
        switch method {
        case .put: return .bytes(changed.encoded(), type: response.mediaType ?? .json)
        case .mergePatch:
            let old = try JSON(body: response.bytes, of: response.mediaType)
            let type = MediaType("application", "merge-patch+json")
            return .bytes(try old.mergePatch(to: changed).encoded(), type: type)
        }
    }

    /// Writes the change.
    ///
    /// If the document has a tag, it must not have changed at the server.
    func write(_ payload: Payload, by method: UpdateMethod, _ draft: RequestBuilder.Draft) async throws -> Response {
        if let guarded {
            return try await guarded.write(
                payload,
                by: method,
                to: draft.resource,
                query: draft.query,
                headers: draft.headers
            )
        }
        let name: HTTPRequest.Method = method == .put ? .put : .patch
        return try await draft.resource.call(name, payload, query: draft.query, headers: draft.headers).send()
    }
}
