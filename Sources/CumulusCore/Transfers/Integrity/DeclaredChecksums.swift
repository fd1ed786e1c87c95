// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// What a response's head says of its content's digest.
///
/// `Repr-Digest` and `Content-Digest` (RFC 9530) with `sha-256` and `sha-512`; their other algorithms are left alone, as
/// RFC 9530 section 5 has it. `Content-MD5`, `x-amz-checksum-*` and `x-goog-hash` where they speak of the whole.
struct DeclaredChecksums: Sendable {
    /// A digest and the field that told it.
    struct Item: Sendable, Hashable {
        let checksum: Checksum
        let field: String
    }

    let items: [Item]

    /// What is told of a whole representation, or of the part that a response carries.
    ///
    /// - Parameters:
    ///   - headers: The head's fields.
    ///   - isPart: Whether the content is a part only (206): then only `Content-Digest` speaks of it.
    init(_ headers: HTTPFields, isPart: Bool) {
        var items = DeclaredChecksums.structured(headers, "Content-Digest")
        if !isPart {
            items += DeclaredChecksums.structured(headers, "Repr-Digest")
            items += DeclaredChecksums.plain(headers)
        }
        self.items = items
    }

    /// What is told of the whole representation, also in a part's head.
    static func ofWhole(_ headers: HTTPFields) -> [Item] { structured(headers, "Repr-Digest") }

    private static func values(_ headers: HTTPFields, _ name: String) -> [String] {
        HTTPField.Name(name).map { headers[values: $0] } ?? []
    }

    /// A dictionary of byte sequences (RFC 8941 section 3.2): `sha-256=:BASE64:`; of those known the strongest.
    private static func structured(_ headers: HTTPFields, _ field: String) -> [Item] {
        var found: [Checksum.Algorithm: Checksum] = [:]
        for member in values(headers, field).flatMap({ $0.parts(at: ",") }) {
            guard let (key, value) = member.cut(at: "=") else { continue }
            let name = key.dropping(" ", "\t")
            let algorithm: Checksum.Algorithm
            switch name {
            case "sha-256": algorithm = .sha256
            case "sha-512": algorithm = .sha512
            default: continue
            }
            guard let (start, rest) = value.cut(at: ":"), start.isEmpty, let digest = rest.cut(at: ":")?.before,
                let bytes = Checksum.base64(digest),
                bytes.count == algorithm.length
            else { continue }
            found[algorithm] = Checksum(known: algorithm, bytes)
        }
        guard let best = found[.sha512] ?? found[.sha256] else { return [] }
        return [Item(checksum: best, field: field)]
    }

    private static func plain(_ headers: HTTPFields) -> [Item] {
        var items: [Item] = []
        func add(_ algorithm: Checksum.Algorithm, _ text: Substring, _ field: String) {
            guard let bytes = Checksum.base64(text), bytes.count == algorithm.length else { return }
            items.append(Item(checksum: Checksum(known: algorithm, bytes), field: field))
        }
        if let text = values(headers, "Content-MD5").first { add(.md5, text[...], "Content-MD5") }
        // One made of the digests of parts is no digest of the content.
        if values(headers, "x-amz-checksum-type").first?.uppercased() != "COMPOSITE" {
            for algorithm in [Checksum.Algorithm.sha256, .sha1, .crc32c, .crc32] {
                let field = "x-amz-checksum-\(algorithm)"
                if let text = values(headers, field).first, !text.has("-") { add(algorithm, text[...], field) }
            }
        }
        // If the server undoes a coding, the digest is of what it keeps.
        let kept = values(headers, "x-goog-stored-content-encoding").first ?? "identity"
        guard kept == "identity" else { return items }
        for member in values(headers, "x-goog-hash").flatMap({ $0.parts(at: ",") }) {
            switch member.trimmed.cut(at: "=") {
            case ("md5", let digest)?: add(.md5, digest, "x-goog-hash")
            case ("crc32c", let digest)?: add(.crc32c, digest, "x-goog-hash")
            default: break
            }
        }
        return items
    }
}
