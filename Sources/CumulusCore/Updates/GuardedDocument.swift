// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// A document as it was obtained, with the strong entity tag that guards its change.
package struct GuardedDocument: Sendable {
    /// The answer that brought it.
    package let response: Response
    /// The tag, with its quotes.
    package let entityTag: String

    /// Asks for the document as it is now, without a content coding: some servers make another tag for that.
    ///
    /// - Parameters:
    ///   - resource: Where it is.
    ///   - wanted: The type that chooses `Accept`.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    ///   - isFresh: Whether caches on the way must ask the server.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/invalidRequest`` if there is no strong entity tag.
    package init(
        _ resource: Resource,
        wanted: (any Any.Type)? = nil,
        query: Query = [:],
        headers: Headers = [:],
        isFresh: Bool = false
    ) async throws {
        var headers = headers
        headers[.acceptEncoding] = "identity"
        if isFresh { headers[.cacheControl] = "no-cache" }
        let got = try await resource.run(.get, .none, query, headers, nil, wanted: wanted, as: .successful)
        guard let tag = got.revision?.strongTag, tag.utf8.count > 1, tag.begins(with: "\""), tag.ends(with: "\"") else {
            let found = got.etag.map { "only the entity tag \(PeerText.printable($0))" } ?? "no entity tag"
            throw CumulusError(
                .invalidRequest,
                stage: .encoding,
                "the change can't be protected: the document has \(found), and If-Match needs a strong one",
                request: got.request,
                response: got
            )
        }
        response = got
        entityTag = tag
    }

    /// The document as JSON.
    package var json: JSON {
        get throws {
            try Stage.run(.decoding, .decoding, request: response.request, response: response) {
                try response.bytes.withUnsafeBytes { try JSON(parsing: $0) }
            }
        }
    }

    /// What leads from the document to another, for the request that is sent.
    ///
    /// - Throws: ``CumulusError`` where the method has no way to say it.
    package func payload(to changed: JSON, by method: UpdateMethod) throws -> Payload {
        try Stage.run(.encoding, .encoding, request: response.request) {
            switch method {
            case .put: .bytes(changed.encoded(), type: response.mediaType ?? .json)
            case .mergePatch: .bytes(try json.mergePatch(to: changed).encoded(), type: .mergePatch)
            case .jsonPatch: .bytes(try json.patch(to: changed).encoded(), type: .jsonPatch)
            }
        }
    }

    /// Writes what leads to the changed document, if it is still this one.
    ///
    /// - Returns: The answer, of any status: 412 where somebody else has changed it.
    package func write(
        _ payload: Payload,
        by method: UpdateMethod,
        to resource: Resource,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        var headers = headers
        headers[.ifMatch] = entityTag
        return try await resource.request(method == .put ? .put : .patch, payload, query: query, headers: headers)
    }
}

extension MediaType {
    /// `application/merge-patch+json` (RFC 7396).
    fileprivate static let mergePatch = MediaType("application", "merge-patch+json")
    /// `application/json-patch+json` (RFC 6902).
    fileprivate static let jsonPatch = MediaType("application", "json-patch+json")
}
