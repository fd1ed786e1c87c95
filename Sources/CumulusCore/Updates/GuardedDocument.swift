// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// A fetched document with the entity tag that guards its change.
package struct GuardedDocument: Sendable {
    /// The response with the document.
    package let response: Response
    /// The tag, with its quotes.
    package let entityTag: String

    /// Fetches the current document, without a content coding: some servers send another tag with one.
    ///
    /// - Parameters:
    ///   - resource: The document's resource.
    ///   - wanted: The type that determines `Accept`.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    ///   - isFresh: Whether caches must ask the server.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/invalidRequest`` if there is no strong entity tag, nor a weak
    ///   one that ``Conditions/sendsWeakTags`` allows.
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
        let request = CallRequest(resource: resource, method: .get, payload: .none, query: query, headers: headers)
        let got = try await request.run(wanted: wanted, into: MemorySink(form: .successful), nil)
        let revision = got.revision
        let tag = resource.conditions.sendsWeakTags ? revision?.entityTag : revision?.strongTag?.text
        guard let tag, GuardedDocument.isQuoted(tag.begins(with: "W/") ? tag.utf8.dropFirst(2) : tag.utf8[...]) else {
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

    private static func isQuoted(_ tag: Substring.UTF8View) -> Bool {
        tag.count > 1 && tag.first == UInt8(ascii: "\"") && tag.last == UInt8(ascii: "\"")
    }

    /// The document as JSON.
    package var json: JSON {
        get throws {
            try Stage.run(.decoding, .decoding, request: response.request, response: response) {
                try JSON(body: response.bytes, of: response.mediaType)
            }
        }
    }

    /// A change of the document, or of the part of it that a type has, as the request's payload.
    ///
    /// - Throws: ``CumulusError`` if the method can't express it.
    package func payload(from old: JSON, to changed: JSON, by method: UpdateMethod) throws -> Payload {
        try Stage.run(.encoding, .encoding, request: response.request) {
            switch method {
            case .put: .bytes(changed.encoded(), type: response.mediaType ?? .json)
            case .mergePatch: .bytes(try old.mergePatch(to: changed).encoded(), type: .mergePatch)
            }
        }
    }

    /// Writes the change, if the document on the server is still this one.
    ///
    /// - Returns: The response, of any status: 412 if someone else has changed the document.
    package func write(
        _ payload: Payload,
        by method: UpdateMethod,
        to resource: Resource,
        query: Query = [:],
        headers: Headers = [:]
    ) async throws -> Response {
        var headers = headers
        headers[.ifMatch] = entityTag
        return try await resource.call(method == .put ? .put : .patch, payload, query: query, headers: headers).send()
    }
}

extension MediaType {
    /// `application/merge-patch+json` (RFC 7396).
    fileprivate static let mergePatch = MediaType("application", "merge-patch+json")
}
