// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

extension Resource.Settings {
    /// Additional header fields that don't identify a user or a tenant.
    ///
    /// Requests that differ only in such fields share stored responses.
    ///
    /// Every other field that a setting, a hook or the call sets belongs to the ``StorePartition``. Add the name of a
    /// field that changes from request to request or from program to program without an effect on the response, such as
    /// `X-Build-Number`. If a response does depend on it, the server has to list it in `Vary`.
    ///
    /// Default: none. A layer adds to the inherited names. The following fields are always neutral: those of RFC 9110
    /// and RFC 9111 for negotiation, conditions, ranges, caching, content and the connection; `User-Agent`, `Referer`
    /// and `Idempotency-Key`; and the identifiers of requests and traces: `X-Request-ID`, `X-Correlation-ID`,
    /// `traceparent`, `tracestate`, the B3 fields, and their common spellings.
    public var neutralHeaders: SettingList<Headers.Name> {
        get { self[key: NeutralHeadersKey.self] }
        set { self[key: NeutralHeadersKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/neutralHeaders``.
enum NeutralHeadersKey: ListSettingKey, UncomparedSettingKey {
    typealias Element = Headers.Name

    /// The names.
    static func describe(_ value: SettingList<Headers.Name>) -> String {
        "[\(value.map(\.text).joined(separator: ", "))]"
    }
}

/// The fields of requests that are not part of a ``StorePartition``.
struct NeutralHeaders: Sendable {
    /// The names that were added to the usual ones, in lower case.
    private let added: Set<String>

    init(_ added: SettingList<Headers.Name> = []) { self.added = Set(added.map { $0.text.lowercased() }) }

    /// The fields of a request that aren't neutral, sorted by name; those with one name stay in order.
    func others(of request: EncodedRequest) -> [HTTPField] {
        var others: [HTTPField] = []
        for field in request.headers where !isNeutral(field.name.canonicalName, in: request) { others.append(field) }
        if others.count < 2 { return others }
        // The sort is stable.
        return others.sorted { $0.name.canonicalName < $1.name.canonicalName }
    }

    /// The fields of settings that aren't neutral, sorted by name, in lower case.
    func others(of headers: Headers) -> [(name: String, values: [String])] {
        headers.entries.compactMap { entry in
            let name = entry.name.text.lowercased()
            guard let values = entry.values, !added.contains(name), !NeutralHeaders.usual.contains(name) else {
                return nil
            }
            return (name, values)
        }
        .sorted { $0.name < $1.name }
    }

    private func isNeutral(_ name: String, in request: EncodedRequest) -> Bool {
        if !added.isEmpty, added.contains(name) { return true }
        // A hook that hides a value has declared it a secret.
        return NeutralHeaders.usual.contains(name) && (!request.hides(name) || name == "idempotency-key")
    }

    private static let usual: Set<String> = [
        // Negotiation, RFC 9110 section 12.
        "accept", "accept-charset", "accept-encoding", "accept-language",
        // Conditions and ranges, RFC 9110 sections 13 and 14.
        "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range", "range",
        // Caching, RFC 9111 section 5.
        "cache-control", "pragma",
        // Content, RFC 9110 section 8; a cache compares the content of a QUERY separately.
        "content-encoding", "content-language", "content-length", "content-location", "content-range", "content-type",
        // The connection and the message, RFC 9110 sections 6, 7 and 10.
        "connection", "date", "expect", "te",
        // The program, and the page with the link.
        "referer", "user-agent",
        // `StorePartition.Parts.addHost(of:)` compares it with the origin.
        "host",
        // One request, or one trace.
        "idempotency-key", "x-request-id", "x-requestid", "request-id", "x-correlation-id", "x-correlationid",
        "correlation-id", "x-client-request-id", "x-trace-id", "traceparent", "tracestate", "b3", "x-b3-traceid",
        "x-b3-spanid", "x-b3-parentspanid", "x-b3-sampled", "x-b3-flags", "uber-trace-id", "x-cloud-trace-context",
        "x-amzn-trace-id",
    ]
}

extension IdentityDigest {
    /// The digest of a header field.
    init(_ field: HTTPField) {
        var message = IdentityMessage()
        message.add(field)
        self.init(message)
    }
}

extension IdentityMessage {
    /// Adds a header field by the bytes of its value, since different values that aren't UTF-8 may have the same text.
    mutating func add(_ field: HTTPField) {
        let bytes = field.withUnsafeBytesOfValue(Array.init)
        add("field", [field.name.canonicalName, "\(bytes.count)"])
        add(bytes: bytes)
    }
}

extension EncodedRequest {
    /// The request's own `Host` in lower case, if it is another host than its origin's.
    var otherHost: String? {
        let values = headers.filter { $0.name.canonicalName == "host" }.map { $0.value.lowercased() }
        return values.isEmpty || values == [origin.authority] ? nil : values.joined(separator: ", ")
    }
}
