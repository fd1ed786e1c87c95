// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The requests of S3's multipart uploads, and their responses.
struct S3Requests: Sendable {
    let run: UploadRun
    let file: SourceFile

    /// The Base64 of a range's SHA-256.
    func checksum(of range: Range<Int64>) throws -> String {
        Data(try file.digest(of: range, by: .sha256)).base64EncodedString()
    }

    /// Sends the object with one request.
    func putWhole() async throws -> Response {
        let checksum = try checksum(of: 0..<file.size)
        var request = UploadRequest(method: .put, fields: [("X-Amz-Checksum-Sha256", checksum)])
        if let type = MediaType.ofFile(file.path) { request.fields.append((.contentType, type.description)) }
        request.body = body(0..<file.size)
        let response = try await run.send(request).requireSuccess()
        _ = try entityTag(in: response, of: "the object", checksum)
        return response
    }

    /// Begins a multipart upload.
    ///
    /// - Returns: Its ID.
    func create() async throws -> String {
        var request = UploadRequest(method: .post, fields: [("X-Amz-Checksum-Algorithm", "SHA256")])
        if let type = MediaType.ofFile(file.path) { request.fields.append((.contentType, type.description)) }
        request.query = Query(parsing: "uploads")
        let response = try await run.send(request).requireSuccess()
        guard let id = try document(response).text(at: "UploadId"), !id.isEmpty else {
            throw run.problem(.malformedResponse, "the store started an upload, but did not report its ID", response)
        }
        return id
    }

    /// Sends a part with its checksum, and repeats it within the policy.
    func put(_ number: Int, _ range: Range<Int64>, of id: String) async throws -> S3Part {
        let checksum = try checksum(of: range)
        var request = UploadRequest(method: .put, fields: [("X-Amz-Checksum-Sha256", checksum)])
        request.query = query(id, [("partNumber", "\(number)")])
        request.body = body(range)
        let response = try await run.send(request).requireSuccess()
        let tag = try entityTag(in: response, of: "part \(number)", checksum)
        return S3Part(number: number, entityTag: tag, checksum: checksum)
    }

    /// The ETag of stored bytes; a successful response without one may come from another server.
    private func entityTag(in response: Response, of name: String, _ checksum: String) throws -> String {
        guard let tag = response.headers[.eTag], !tag.isEmpty else {
            throw run.problem(.malformedResponse, "the store did not report the ETag of \(name)", response)
        }
        if let reported = response.checksum, reported != checksum {
            throw run.problem(.checksum, "the store received different bytes for \(name)", response)
        }
        return tag
    }

    /// The parts that the store has; `nil` if it doesn't have the upload.
    func list(_ id: String) async throws -> [(part: S3Part, size: Int64)]? {
        var parts: [Int: (part: S3Part, size: Int64)] = [:]
        var marker = 0
        while true {
            var request = UploadRequest(method: .get, fields: [])
            request.query = query(id, marker > 0 ? [("part-number-marker", "\(marker)")] : [])
            let response = try await run.send(request)
            if response.statusCode == 404 { return nil }
            let list = try document(response.requireSuccess())
            for element in list.elements("Part") {
                guard let number = element["PartNumber"].flatMap({ Int($0.text) }),
                    let size = element["Size"].flatMap({ Int64($0.text) }), let tag = element["ETag"]?.text
                else { throw run.problem(.malformedResponse, "the store's list of parts is not valid", response) }
                let part = S3Part(number: number, entityTag: tag, checksum: element["ChecksumSHA256"]?.text)
                parts[number] = (part, size)
            }
            guard list["IsTruncated"]?.text == "true" else { break }
            // Part numbers have a maximum, so markers that grow end.
            let next = list["NextPartNumberMarker"].flatMap { Int($0.text) } ?? 0
            guard next > marker, next <= Int(S3Plan.mostParts), parts.count <= Int(S3Plan.mostParts) else {
                throw run.problem(.malformedResponse, "the store's list of parts never ends", response)
            }
            marker = next
        }
        return parts.values.sorted { $0.part.number < $1.part.number }
    }

    /// Creates the object from its parts.
    ///
    /// - Returns: The response, which may be an error with a status of 200.
    func complete(_ id: String, _ parts: [S3Part]) async throws -> Response {
        let document = XML("CompleteMultipartUpload") {
            for part in parts {
                XML("Part") {
                    XML("PartNumber", text: "\(part.number)")
                    XML("ETag", text: part.entityTag)
                    if let checksum = part.checksum { XML("ChecksumSHA256", text: checksum) }
                }
            }
        }
        var request = UploadRequest(method: .post, fields: [(.contentType, "application/xml")])
        request.query = query(id)
        request.body = .bytes(ByteChunk(try document.encoded()))
        return try await run.send(request)
    }

    /// The store's error in a successful response to a completion; `nil` if the object was made.
    ///
    /// - Throws: `CumulusError` with `CumulusError.Code.malformedResponse` for any other document, since a
    ///   proxy's page doesn't mean that there is an object.
    func errorCode(ofCompletion response: Response) throws -> String? {
        let document = try? document(response)
        if document?.name == "Error" { return document?.text(at: "Code") ?? "an unknown error" }
        guard document?.name == "CompleteMultipartUploadResult" else {
            throw run.problem(.malformedResponse, "the store did not report that the object is complete", response)
        }
        return nil
    }

    /// Removes an unfinished upload and its parts; one that the store doesn't have is not an error.
    func abort(_ id: String) async throws {
        var request = UploadRequest(method: .delete, fields: [])
        request.query = query(id)
        let response = try await run.send(request)
        if response.statusCode != 404 { try response.requireSuccess() }
    }

    /// The object's head.
    func head() async throws -> Response { try await run.send(UploadRequest(method: .head, fields: [])) }

    /// The XML of a response.
    func document(_ response: Response) throws -> XML {
        do {
            return try XML(parsing: response.bytes.bytes)
        } catch {
            throw run.problem(.decoding, "the store's response is not valid XML: \(error)", response, cause: error)
        }
    }

    private func body(_ range: Range<Int64>) -> RequestBody {
        guard !range.isEmpty else { return .bytes(.empty) }
        let length = range.upperBound - range.lowerBound
        return .file(FileBody(path: file.path, offset: range.lowerBound, length: length, wholeLength: file.size))
    }

    private func query(_ id: String, _ others: [(String, String)] = []) -> Query {
        var query = Query()
        for (name, value) in others { query.add(value, for: name) }
        query.add(id, for: "uploadId")
        return query
    }
}

extension Response {
    /// The SHA-256 that the store computed, in Base64.
    fileprivate var checksum: String? { HTTPField.Name("X-Amz-Checksum-Sha256").flatMap { headers[$0] } }
}
