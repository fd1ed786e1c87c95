// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// Encodes a draft into a request: the payload into a body, and headers and query into their wire form.
struct Encoding: Sendable {
    /// The parts that depend only on the settings, made in advance for all requests that don't change them.
    final class Template: Sendable {
        let headers: Headers
        let query: Query
        /// `nil` if a field can't be sent; the request then reports it.
        let fields: HTTPFields?
        let queryString: String?
        let trailingSlash: TrailingSlash

        init(headers: Headers, query: Query, queryString: String?, trailingSlash: TrailingSlash) {
            self.headers = headers
            self.query = query
            self.queryString = queryString
            self.trailingSlash = trailingSlash
            fields = try? headers.fields()
        }
    }

    let template: Template
    private let queryStyle: QueryStyle
    private let coders: CoderRegistry
    /// The default `Accept-Encoding` of requests; `nil` for none.
    let acceptedCodings: String?
    private let idempotencyKey: IdempotencyKey?

    init(_ settings: SettingValues, transport: any Transport) {
        queryStyle = settings.value(QueryStyleKey.self)
        coders = settings.coders
        idempotencyKey = settings.value(IdempotencyKeyKey.self)
        acceptedCodings = ContentDecoding.codings(settings, transport: transport).accepted
        let own = settings.value(HeadersKey.self)
        let standard = own[.range] == nil ? Headers.standard(accepting: acceptedCodings) : .standard
        let client = settings.value(ClientKey.self)
        var headers = (client.map { standard.merging($0.headers) } ?? standard).merging(own)
        if let directive = settings.value(CachePolicyKey.self).directive, headers.isUnsaid(.cacheControl) {
            headers[.cacheControl] = directive
        }
        let query = settings.value(QueryKey.self)
        template = Template(
            headers: headers,
            query: query,
            queryString: query.encoded(queryStyle),
            trailingSlash: settings.value(TrailingSlashKey.self)
        )
    }

    func encode(_ draft: RequestDraft) throws -> EncodedRequest {
        let target = draft.preparedTarget ?? target(draft)
        var headers = try draft.preparedFields ?? fields(draft)
        if let wanted = draft.wanted, headers[.accept] == nil, draft.headers.isUnsaid(.accept) {
            headers[.accept] = coders.accept(for: wanted, target: draft.path)
        }
        if let key = idempotencyKey, key.serves(draft.method), let name = HTTPField.Name.idempotencyKey,
            headers[name] == nil, draft.headers.isUnsaid(Headers.Name(name))
        {
            headers[name] = key.make()
        }
        let body = try Stage.run(.encoding, .encoding, request: draft.bare) {
            try encodePayload(draft.payload, of: draft, headers: &headers)
        }
        // A content type that is set for a URL path doesn't apply to a request without content. The call's own is sent.
        if case .none = body, headers.contains(.contentType), !setsContentType(draft) { headers[.contentType] = nil }
        return EncodedRequest(
            .init(
                method: draft.method,
                origin: draft.origin,
                target: target,
                headers: headers,
                body: body,
                node: draft.resource.node,
                id: draft.id,
                wantsValue: draft.wantsValue
            )
        )
    }

    /// The same, off the caller's actor, since encoding a value may take an unknown time.
    ///
    /// If the caller isn't on an actor, this makes no difference.
    @concurrent
    func encodeElsewhere(_ draft: RequestDraft) async throws -> EncodedRequest { try encode(draft) }

    private func target(_ draft: RequestDraft) -> String {
        draft.query.encoded(queryStyle).map { "\(draft.path)?\($0)" } ?? draft.path
    }

    private func fields(_ draft: RequestDraft) throws -> HTTPFields {
        var fields = try Stage.run(.encoding, .invalidHeader, request: draft.bare) { try draft.headers.fields() }
        // A part of a coded body can't be decoded.
        if let acceptedCodings, fields[.range] != nil, fields[.acceptEncoding] == acceptedCodings {
            fields[.acceptEncoding] = nil
        }
        return fields
    }

    /// Whether the call or a preflight sets or masks the content type, rather than a setting.
    private func setsContentType(_ draft: RequestDraft) -> Bool {
        draft.namesContentType || draft.headers[.contentType] != template.headers[.contentType]
    }

    private func encodePayload(
        _ payload: Payload,
        of draft: RequestDraft,
        headers: inout HTTPFields
    ) throws -> RequestBody {
        // Most requests have no content and need nothing of what follows.
        if case .none = payload.content { return .none }
        // A content type of this request takes precedence over the payload's; that of a setting doesn't.
        let isExplicit = setsContentType(draft)
        let isMasked = draft.headers[.contentType] == nil && !draft.headers.isUnsaid(.contentType)
        let declared = headers[.contentType].flatMap { MediaType(parsing: $0) }
        switch payload.content {
        case .none: return .none
        case .body(let body, let named, let fallback):
            try name(isExplicit ? nil : named, else: isMasked ? nil : fallback, in: &headers)
            return body
        case .file(let path, let named, let fallback):
            try name(isExplicit ? nil : named, else: isMasked ? nil : fallback, in: &headers)
            let size = try UploadProblem.naming { () throws(OpenedFile.Refusal) in try OpenedFile(path).size() }
            return .file(FileBody(path: path, length: size, wholeLength: size))
        case .text(let text, let named):
            try name(isExplicit ? nil : named, else: isMasked ? nil : coders.text.mediaType, in: &headers)
            return .bytes(try coders.encode(text: text, as: headers[.contentType].flatMap { MediaType(parsing: $0) }))
        case .value(let value, let named, let coder):
            let encoded = try coders.encode(
                value,
                named: named,
                declared: isExplicit ? declared : nil,
                usual: isExplicit ? nil : declared,
                target: draft.path,
                using: coder
            )
            try name(isExplicit ? nil : named ?? encoded.own, else: isMasked ? nil : encoded.type, in: &headers)
            return .bytes(encoded.bytes)
        case .made(let make, let named):
            try name(isExplicit ? nil : named, else: nil, in: &headers)
            return try make(PayloadSettings(coders: coders, queryStyle: queryStyle))
        case .typed(let make):
            let made = try make(coders, isExplicit ? declared : nil)
            try name(isMasked ? nil : made.type, else: nil, in: &headers)
            return made.body
        case .deferred(let make): return try encodePayload(try make(coders), of: draft, headers: &headers)
        case .coded(let content, let coding, let keepsSmaller):
            let body = try encodePayload(Payload(content: content), of: draft, headers: &headers)
            guard let coded = try compress(body, of: draft, coding, keepsSmaller) else { return body }
            // If there are several codings, the last one applied is listed last (RFC 9110 section 8.4).
            headers[.contentEncoding] = headers[.contentEncoding].map { "\($0), \(coding.name)" } ?? coding.name
            return coded
        case .trailed(let content, let trailer, let value):
            let body = try encodePayload(Payload(content: content), of: draft, headers: &headers)
            return try body.trailed(by: trailer, value, announcedIn: &headers)
        }
    }

    private func compress(
        _ body: RequestBody,
        of draft: RequestDraft,
        _ coding: ContentCoding,
        _ keepsSmaller: Bool
    ) throws -> RequestBody? {
        do {
            return try body.compressed(by: coding, keepsSmaller: keepsSmaller)
        } catch let problem as ContentCodingProblem {
            throw CumulusError(
                .encoding,
                stage: .encoding,
                problem.description,
                request: draft.bare,
                cause: problem
            )
        }
    }

    private func name(_ named: MediaType?, else fallback: MediaType?, in headers: inout HTTPFields) throws {
        guard let type = named ?? (headers[.contentType] == nil ? fallback : nil) else { return }
        guard HTTPField.isValidValue(type.description) else {
            throw Headers.Malformation("the media type \(type.essence) has a parameter that is not allowed in a header")
        }
        headers[.contentType] = type.description
    }
}

extension Headers {
    /// The header fields that each request has unless a layer of settings changes them.
    static let standard: Headers = [.userAgent: "Cumulus/0.1"]
    /// The same if the codings of zlib are decoded.
    private static let standardWithCodings: Headers = [.userAgent: "Cumulus/0.1", .acceptEncoding: "gzip, deflate"]

    /// The same with an `Accept-Encoding`.
    static func standard(accepting codings: String?) -> Headers {
        guard let codings else { return standard }
        if codings == "gzip, deflate" { return standardWithCodings }
        var headers = standard
        headers[.acceptEncoding] = codings
        return headers
    }

    /// Whether the headers contain neither a value for a name nor `nil`, which removes an inherited value.
    public func isUnsaid(_ name: Name) -> Bool { !entries.contains { $0.name == name } }
}
