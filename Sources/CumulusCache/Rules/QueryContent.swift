// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// The content of a QUERY, on which its response depends (RFC 10008, the HTTP QUERY method).
enum QueryContent {
    /// A digest of a request's body and of the fields that describe it; `nil` for a body that isn't in memory, whose
    /// bytes aren't known before it is sent.
    ///
    /// Two contents with the same meaning have different digests if any byte differs.
    static func code(of request: EncodedRequest) -> String? {
        var digest = MessageDigest(.sha256)
        // Each text follows its length, so that different lists of fields never have the same bytes.
        func add(_ text: String) { Array("\(text.utf8.count) \(text) ".utf8).withUnsafeBytes { digest.update($0) } }
        for field in request.headers where field.name.canonicalName.begins(with: "content-") {
            add(field.name.canonicalName)
            add(field.value)
        }
        add("body")
        switch request.body {
        case .none: break
        case .bytes(let bytes): bytes.withUnsafeBytes { digest.update($0) }
        case .file, .stream: return nil
        }
        return MessageDigest.hexadecimal(digest.bytes)
    }
}

extension HTTPRequest.Method {
    /// Whether it is a safe method whose body is the query.
    var isQuery: Bool { rawValue == "QUERY" }
}
