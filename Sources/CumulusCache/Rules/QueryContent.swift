// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// Whose responses may be given: those of one user and, for a QUERY, of one content.
struct Audience: Sendable, Hashable {
    let partition: StorePartition
    /// A digest of what a QUERY asked with; `nil` for a GET.
    var content: String?
}

/// What a QUERY asks with, on which its response depends (RFC 10008, the HTTP QUERY method).
enum QueryContent {
    /// A digest of a request's body and of the fields that describe it; `nil` for a body that isn't in memory, of which
    /// nothing is known before it is sent.
    ///
    /// Two contents that mean the same are told apart if a byte of them differs.
    static func code(of request: EncodedRequest) -> String? {
        var digest = MessageDigest(.sha256)
        // Each text follows its length, so that no two lists of fields read the same.
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
    /// Whether it asks with its body, and changes nothing.
    var isQuery: Bool { rawValue == "QUERY" }
}
