// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes
import Synchronization

/// The digests of the content that a response's head declares.
///
/// They are in `Repr-Digest` and `Content-Digest` (RFC 9530) with `sha-256` and `sha-512`; other algorithms are
/// ignored, as RFC 9530 section 5 recommends. `Content-MD5`, `x-amz-checksum-*` and `x-goog-hash` count if they cover
/// the whole.
struct DeclaredChecksums: Sendable {
    /// A digest and the field that declared it.
    struct Item: Sendable, Hashable {
        let checksum: Checksum
        let field: String
    }

    let items: [Item]

    /// The digests of a whole representation, or of the part in a response.
    ///
    /// - Parameters:
    ///   - headers: The head's fields.
    ///   - isPart: Whether the content is only a part (206): then only `Content-Digest` covers it.
    init(_ headers: HTTPFields, isPart: Bool) {
        var items = DeclaredChecksums.structured(headers, "Content-Digest")
        if !isPart {
            items += DeclaredChecksums.structured(headers, "Repr-Digest")
            items += DeclaredChecksums.plain(headers)
        }
        self.items = items
    }

    private static func values(_ headers: HTTPFields, _ name: String) -> [String] {
        HTTPField.Name(name).map { headers[values: $0] } ?? []
    }

    /// Parses a dictionary of byte sequences (RFC 8941 section 3.2): `sha-256=:BASE64:`; returns the strongest known
    /// one.
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
        // A digest of the parts' digests is not a digest of the content.
        if values(headers, "x-amz-checksum-type").first?.uppercased() != "COMPOSITE" {
            for algorithm in [Checksum.Algorithm.sha256, .sha1, .crc32c, .crc32] {
                let field = "x-amz-checksum-\(algorithm)"
                if let text = values(headers, field).first, !text.has("-") { add(algorithm, text[...], field) }
            }
        }
        // If the server decodes the content, the digest covers the stored form.
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

extension RequestBody {
    /// Reads the body once, before it is sent, and computes its digest: for an authorizer that signs it.
    ///
    /// - Parameter algorithm: The algorithm.
    /// - Returns: The digest of all bytes, before transfer codings.
    /// - Throws: ``AuthorizationProblem`` for a body that can be produced only once; otherwise, the errors of
    ///   ``read(_:)``.
    public func checksum(_ algorithm: Checksum.Algorithm) async throws -> Checksum {
        let digest = Mutex(RunningDigest([algorithm]))
        try await BodyDigest.read(self) { piece in
            digest.withLock { digest in piece.withUnsafeBytes { digest.update($0) } }
        }
        return digest.withLock { digest in digest.checksum(algorithm) ?? Checksum(known: algorithm, []) }
    }
}
