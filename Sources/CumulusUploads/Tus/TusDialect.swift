// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// tus 1.0 (https://tus.io/protocols/resumable-upload).
struct TusDialect: OffsetDialect {
    static let version = "1.0.0"
    /// The algorithms that are used if the server verifies checksums, the strongest first.
    static let checksums: [(name: String, algorithm: MessageDigest.Algorithm)] = [
        ("sha256", .sha256), ("sha512", .sha512), ("sha1", .sha1), ("md5", .md5),
    ]

    private let metadata: [String: String]

    init(_ metadata: [String: String]) { self.metadata = metadata }

    var parts: [String] { ["tus"] + metadata.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] } }

    func terms(_ run: UploadRun) async throws -> UploadTerms {
        let response = try await run.send(UploadRequest(method: .options, fields: []))
        // OPTIONS is optional for servers; the creation shows whether this one has tus.
        guard response.isSuccessful, let versions = response.list("Tus-Version") else { return UploadTerms() }
        guard versions.contains(TusDialect.version) else {
            let reason = "the server supports tus \(versions.joined(separator: ", ")), not \(TusDialect.version)"
            throw run.problem(.unsupported, reason, response)
        }
        let extensions = Set(response.list("Tus-Extension") ?? [])
        func has(_ name: String) -> Bool { extensions.contains(name) }
        guard has("creation") else {
            throw run.problem(.unsupported, "the server doesn't let clients create uploads with tus", response)
        }
        var terms = UploadTerms()
        terms.maxSize = try response.byteCount("Tus-Max-Size")
        terms.canRemove = has("termination")
        terms.createsWithBytes = has("creation-with-upload")
        terms.defersLength = has("creation-defer-length")
        if has("checksum") {
            let known = Set(response.list("Tus-Checksum-Algorithm") ?? [])
            terms.checksum = TusDialect.checksums.first { known.contains($0.name) }?.name
        }
        return terms
    }

    func creation(length: Int64?, name: String?, first: UploadPiece?) throws -> UploadRequest {
        var request = UploadRequest(method: .post, fields: fields)
        request.fields.append(length.map { ("Upload-Length", "\($0)") } ?? ("Upload-Defer-Length", "1"))
        if let text = try TusMetadata(metadata, fileName: name).text {
            request.fields.append(("Upload-Metadata", text))
        }
        if let first {
            request.fields.append((.contentType, TusDialect.mediaType))
            request.body = first.body
        }
        return request
    }

    func append(_ piece: UploadPiece, _ terms: UploadTerms, lengthIsKnown: Bool) throws -> UploadRequest {
        var request = UploadRequest(method: .patch, fields: fields, body: piece.body)
        request.fields += [(.contentType, TusDialect.mediaType), ("Upload-Offset", "\(piece.range.lowerBound)")]
        if piece.isLast, !lengthIsKnown { request.fields.append(("Upload-Length", "\(piece.range.upperBound)")) }
        if let checksum = TusDialect.checksums.first(where: { $0.name == terms.checksum }), !piece.range.isEmpty {
            let digest = Data(try piece.digest(checksum.algorithm)).base64EncodedString()
            request.fields.append(("Upload-Checksum", "\(checksum.name) \(digest)"))
        }
        return request
    }

    func acknowledged(_ response: Response, _ piece: UploadPiece?) throws -> Int64? {
        try response.byteCount("Upload-Offset")
    }

    func hasAll(_ response: Response) -> Bool { true }

    func isClosed(_ response: Response) -> Bool { false }

    func length(in response: Response) -> Int64? { try? response.byteCount("Upload-Length") }

    var offsetRequest: UploadRequest { UploadRequest(method: .head, fields: fields) }

    var removal: UploadRequest { UploadRequest(method: .delete, fields: fields) }

    private var fields: [(name: Headers.Name, value: String)] { [("Tus-Resumable", TusDialect.version)] }

    private static let mediaType = "application/offset+octet-stream"
}

extension Response {
    /// The members of a list in a field, in lower case; `nil` without the field.
    fileprivate func list(_ name: String) -> [String]? {
        guard let field = HTTPField.Name(name), let text = headers[field] else { return nil }
        return text.utf8.split(separator: UInt8(ascii: ",")).map { member in
            String(decoding: member.filter { $0 != UInt8(ascii: " ") && $0 != 9 }, as: UTF8.self).lowercased()
        }
    }
}
