// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// A fetched document with the entity tag that guards its change, or without one if the caller allows that.
package struct GuardedDocument: Sendable {
    /// The response with the document.
    package let response: Response
    /// The tag, with its quotes; `nil` if nothing guards the change.
    package let entityTag: String?

    /// Fetches the current document, without a content coding: some servers send another tag with one.
    ///
    /// - Parameters:
    ///   - resource: The document's resource.
    ///   - wanted: The type that determines `Accept`.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    ///   - isFresh: Whether caches must ask the server.
    ///   - requiresTag: Whether a document without a tag is an error.
    /// - Throws: ``CumulusError``, with ``CumulusError/Code/invalidRequest`` if a tag is required and the document has
    ///   neither a strong one nor a weak one that ``Conditions/sendsWeakTags`` allows.
    package init(
        _ resource: Resource,
        wanted: (any Any.Type)? = nil,
        query: Query = [:],
        headers: Headers = [:],
        isFresh: Bool = false,
        requiresTag: Bool = true
    ) async throws {
        var headers = headers
        headers[.acceptEncoding] = "identity"
        if isFresh { headers[.cacheControl] = "no-cache" }
        let request = CallRequest(resource: resource, method: .get, payload: .none, query: query, headers: headers)
        let got = try await request.run(wanted: wanted, into: MemorySink(form: .successful), nil)
        let revision = got.revision
        let tag = resource.conditions.sendsWeakTags ? revision?.entityTag : revision?.strongTag?.text
        let usable = tag.flatMap { GuardedDocument.isQuoted($0) ? $0 : nil }
        if usable == nil, requiresTag {
            let found = got.etag.map { "only the entity tag \(PeerText.printable($0))" } ?? "no entity tag"
            throw CumulusError(
                .invalidRequest,
                stage: .encoding,
                "the change can't be protected: the document has \(found), but If-Match requires a strong one",
                request: got.request,
                response: got
            )
        }
        (response, entityTag) = (got, usable)
    }

    private static func isQuoted(_ tag: String) -> Bool {
        let opaque = tag.begins(with: "W/") ? tag.utf8.dropFirst(2) : tag.utf8[...]
        return opaque.count > 1 && opaque.first == UInt8(ascii: "\"") && opaque.last == UInt8(ascii: "\"")
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
            case .put: .bytes(changed.encoded(), type: writtenType)
            case .mergePatch: .bytes(try old.mergePatch(to: changed).encoded(), type: .mergePatch)
            }
        }
    }

    /// The document's type, without a charset other than UTF-8, in which JSON is written.
    private var writtenType: MediaType {
        guard let type = response.mediaType else { return .json }
        guard let charset = Charset(of: type), charset != .utf8 else { return type }
        return MediaType(type.type, type.subtype, parameters: type.parameters.filter { $0.name != "charset" })
    }

    /// Writes the change, if the document on the server is still this one, or if it has no tag.
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
        if let entityTag { headers[.ifMatch] = entityTag }
        return try await resource.call(method == .put ? .put : .patch, payload, query: query, headers: headers).send()
    }
}

extension MediaType {
    /// `application/merge-patch+json` (RFC 7396).
    fileprivate static let mergePatch = MediaType("application", "merge-patch+json")
}
