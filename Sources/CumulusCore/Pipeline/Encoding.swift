// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Stage 2, draft -> encoded request: turns the payload into a body, headers and query into what is sent.
struct Encoding: Sendable {
    /// What of the settings can be made ahead, for all requests that change nothing of it.
    struct Ready: Sendable {
        let headers: Headers
        let query: Query
        /// `nil` where a field can't be sent, which the request then reports.
        let fields: HTTPFields?
        let queryString: String?
        let trailingSlash: TrailingSlash
    }

    let ready: Ready
    private let queryStyle: QueryStyle
    private let coders: CoderRegistry

    init(_ settings: SettingsSnapshot.Values) {
        queryStyle = settings.value(QueryStyleKey.self)
        coders = settings.value(CodersKey.self)
        let headers = Headers.standard.merging(settings.value(HeadersKey.self))
        let query = settings.value(QueryKey.self)
        ready = Ready(
            headers: headers,
            query: query,
            fields: try? headers.fields(),
            queryString: query.encoded(queryStyle),
            trailingSlash: settings.value(TrailingSlashKey.self)
        )
    }

    func encode(_ draft: RequestDraft) throws -> EncodedRequest {
        let target = draft.readyTarget ?? target(draft)
        var headers = try draft.readyFields ?? fields(draft)
        if let wanted = draft.wanted, headers[.accept] == nil, draft.headers.isUnsaid(.accept) {
            headers[.accept] = coders.accept(for: wanted)
        }
        let body = try encodePayload(draft.payload, headers: &headers)
        // A child's content type says nothing of a request without content.
        if case .none = body, headers[.contentType] != nil { headers[.contentType] = nil }
        return EncodedRequest(method: draft.method, origin: draft.origin, target: target, headers: headers, body: body)
    }

    private func target(_ draft: RequestDraft) -> String {
        draft.query.encoded(queryStyle).map { "\(draft.path)?\($0)" } ?? draft.path
    }

    private func fields(_ draft: RequestDraft) throws -> HTTPFields {
        try Stage.run(.encoding, .invalidHeader) { try draft.headers.fields() }
    }

    private func encodePayload(_ payload: Payload, headers: inout HTTPFields) throws -> RequestBody {
        switch payload.content {
        case .none: return .none
        case .body(let body, let type):
            if headers[.contentType] == nil, let type { headers[.contentType] = type.description }
            return body
        case .value(let value, let type):
            let declared = type ?? headers[.contentType].flatMap { MediaType(parsing: $0) }
            let encoded = try Stage.run(.encoding, .encoding) { try coders.encode(value, as: declared) }
            if headers[.contentType] == nil || type != nil { headers[.contentType] = encoded.type.description }
            return .bytes(encoded.bytes)
        }
    }
}

extension Headers {
    /// What each request carries unless a layer says otherwise.
    static let standard: Headers = [.userAgent: "Cumulus/0.1"]

    /// Whether no layer says anything of a name, not even that it is masked.
    func isUnsaid(_ name: Name) -> Bool { !entries.contains { $0.name == name } }
}
