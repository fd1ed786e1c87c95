// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// The requests and responses of a protocol in which the server reports the number of bytes that have arrived.
protocol OffsetDialect: Sendable {
    /// The protocol's name and settings for records.
    var parts: [String] { get }

    /// Requests the server's terms.
    ///
    /// - Throws: `CumulusError` with `CumulusError.Code.unsupported` if the server doesn't have the protocol.
    func terms(_ run: UploadRun) async throws -> UploadTerms

    /// The request that creates an upload, with its first bytes or none.
    func creation(length: Int64?, name: String?, first: UploadPiece?) throws -> UploadRequest

    /// The request that sends a piece to an existing upload.
    func append(_ piece: UploadPiece, _ terms: UploadTerms, lengthIsKnown: Bool) throws -> UploadRequest

    /// The number of bytes that a response acknowledges; `nil` if it doesn't report that.
    ///
    /// - Parameters:
    ///   - response: A successful response.
    ///   - piece: The piece in its request; `nil` for a request without one.
    /// - Returns: The number.
    /// - Throws: `CumulusError` with `CumulusError.Code.malformedResponse`.
    func acknowledged(_ response: Response, _ piece: UploadPiece?) throws -> Int64?

    /// Whether the server regards an upload as complete, according to a successful response after all bytes.
    func hasAll(_ response: Response) -> Bool

    /// Whether a response reports that the server accepts no more bytes.
    func isClosed(_ response: Response) -> Bool

    /// The length that a response reports for the whole upload; `nil` if it doesn't report one.
    func length(in response: Response) -> Int64?

    /// The request for the number of bytes that have arrived.
    var offsetRequest: UploadRequest { get }

    /// The request that removes an upload.
    var removal: UploadRequest { get }
}

extension OffsetDialect {
    /// Removes an upload at the server; one that it doesn't have is not an error.
    func remove(_ url: String?, _ run: UploadRun) async throws {
        guard let url = url.flatMap({ try? RequestURL($0) }) else { return }
        let response = try await run.send(removal, to: url)
        if response.statusCode != 404, response.statusCode != 410 { try response.requireSuccess() }
    }
}

extension Response {
    /// The value of a field that is a number of bytes; `nil` without the field.
    ///
    /// - Throws: `CumulusError` with `CumulusError.Code.malformedResponse` for any other value, a negative number
    ///   for example.
    func byteCount(_ name: String) throws -> Int64? {
        guard let field = HTTPField.Name(name), let text = headers[field] else { return nil }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber, let count = Int64(text) else {
            let message = "\(name) is not a number of bytes: \"\(text)\""
            throw CumulusError(.malformedResponse, stage: .delivery, message, request: request, response: self)
        }
        return count
    }
}
