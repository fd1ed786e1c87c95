// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusPrimitives
import HTTPTypes

/// Keeps the beginning of the body of an unsuccessful response, which may explain the status.
struct ProblemCollector {
    /// The most of a problem that is ever needed.
    private static let limit = 65_536

    private let type: MediaType?
    private let mayExplain: Bool
    private var bytes: [UInt8] = []

    init(type: MediaType?, statusCode: Int) {
        self.type = type
        mayExplain = ProblemCollector.isReadable(type) && CommandStatus(statusCode: statusCode) != .success
    }

    /// Takes the next bytes of the body.
    mutating func take(_ chunk: ByteChunk) {
        guard mayExplain, bytes.count < Self.limit else { return }
        bytes += chunk.bytes.prefix(Self.limit - bytes.count)
    }

    /// The explanation, shortened; `nil` if there is none.
    var text: String? { mayExplain ? ProblemCollector.text(of: bytes, type) : nil }

    /// The explanation in the body of an error's response, shortened; `nil` if there is none.
    static func text(of error: CumulusError) -> String? {
        guard let response = error.response, isReadable(response.mediaType),
            CommandStatus(statusCode: response.status.code) != .success
        else { return nil }
        return text(of: Array(response.bytes.bytes.prefix(limit)), response.mediaType)
    }

    private static func isReadable(_ type: MediaType?) -> Bool { type?.isJSON == true || BodyKind(type) == .xml }

    private static func text(of bytes: [UInt8], _ type: MediaType?) -> String? {
        let texts = (BodyKind(type) == .xml ? objectStoreTexts(bytes) : texts(bytes, type)).filter { !$0.isEmpty }
        return texts.isEmpty ? nil : PeerText.printable(texts.joined(separator: ": "))
    }

    /// The code and the message in the XML of S3 and other object stores.
    private static func objectStoreTexts(_ bytes: [UInt8]) -> [String] {
        guard let root = try? XML(parsing: bytes), root.localName == "Error" else { return [] }
        return [root["Code"], root["Message"]].compactMap { $0?.text }
    }

    private static func texts(_ bytes: [UInt8], _ type: MediaType?) -> [String] {
        guard let body = try? JSON(body: ByteChunk(bytes), of: type) else { return [] }
        let isProblem = type?.essence == MediaType.problemJSON.essence
        if isProblem { return ProblemDetails(body).map { [$0.title, $0.detail] }?.compactMap(\.self) ?? [] }
        let error = ServiceError(in: body, members: ["error", "errors", "message", "detail"])
        return [error?.message].compactMap(\.self)
    }
}
