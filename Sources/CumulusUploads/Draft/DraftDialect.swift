// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// Resumable Uploads for HTTP, a draft: draft-ietf-httpbis-resumable-upload-11, interop version 9.
struct DraftDialect: OffsetDialect {
    /// The version that clients and servers of the draft compare.
    static let interopVersion = "9"

    var parts: [String] { ["ietf-draft"] }

    func terms(_ run: UploadRun) async throws -> UploadTerms {
        let response = try await run.send(UploadRequest(method: .options, fields: fields))
        guard response.isSuccessful, let limits = HTTPField.Name("Upload-Limit").flatMap({ response.headers[$0] })
        else {
            throw run.problem(.unsupported, "the server does not announce resumable uploads (Upload-Limit)", response)
        }
        var terms = UploadTerms()
        (terms.canRemove, terms.defersLength) = (true, true)
        for member in limits.utf8.split(separator: UInt8(ascii: ",")) {
            let parts = member.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2 else { continue }
            let name = String(decoding: parts[0].filter { $0 > 0x20 }, as: UTF8.self)
            let value = Int64(String(decoding: parts[1].filter { $0 > 0x20 }, as: UTF8.self)) ?? .max
            if name == "max-size" { terms.maxSize = value }
            if name == "max-append-size", value > 0 { terms.maxPiece = value }
        }
        return terms
    }

    func creation(length: Int64?, name: String?, first: UploadPiece?) -> UploadRequest {
        var request = UploadRequest(method: .post, fields: fields + [("Upload-Complete", "?0")])
        if let length { request.fields.append(("Upload-Length", "\(length)")) }
        if let type = name.flatMap(MediaType.ofFile) { request.fields.append((.contentType, type.description)) }
        return request
    }

    func append(_ piece: UploadPiece, _ terms: UploadTerms, lengthIsKnown: Bool) -> UploadRequest {
        let state: [(name: Headers.Name, value: String)] = [
            (.contentType, "application/partial-upload"), ("Upload-Offset", "\(piece.range.lowerBound)"),
            ("Upload-Complete", piece.isLast ? "?1" : "?0"),
        ]
        return UploadRequest(method: .patch, fields: fields + state, body: piece.body)
    }

    func acknowledged(_ response: Response, _ piece: UploadPiece?) throws -> Int64? {
        if let offset = try response.byteCount("Upload-Offset") { return offset }
        // A successful response to an append acknowledges all of it, if it has the piece's own state.
        guard let piece, isComplete(response) == piece.isLast else { return nil }
        return piece.range.upperBound
    }

    func hasAll(_ response: Response) -> Bool { isComplete(response) == true }

    func isClosed(_ response: Response) -> Bool { isComplete(response) == true }

    /// The state that a response reports; `nil` without it.
    private func isComplete(_ response: Response) -> Bool? {
        switch HTTPField.Name("Upload-Complete").flatMap({ response.headers[$0] }) {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    func length(in response: Response) -> Int64? { try? response.byteCount("Upload-Length") }

    var offsetRequest: UploadRequest { UploadRequest(method: .head, fields: fields) }

    var removal: UploadRequest { UploadRequest(method: .delete, fields: fields) }

    private var fields: [(name: Headers.Name, value: String)] {
        [("Upload-Draft-Interop-Version", DraftDialect.interopVersion)]
    }
}
