// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// How a signature covers a body, and how the body is sent.
struct AWSBodySignature {
    static let unsigned = "UNSIGNED-PAYLOAD"
    static let ofNothing = MessageDigest.hexadecimal(MessageDigest.sha256(of: []))

    /// The digest, or the keyword that replaces it.
    let text: String
    /// Whether the text is a keyword, which must be sent in a header field.
    let isWord: Bool
    /// The original length of a body that is sent in chunks.
    let chunkedLength: Int64?
    let trailer: AWSTrailingChecksum?

    private init(_ text: String, isWord: Bool, length: Int64? = nil, trailer: AWSTrailingChecksum? = nil) {
        self.text = text
        self.isWord = isWord
        chunkedLength = length
        self.trailer = trailer
    }

    static var nothing: AWSBodySignature { AWSBodySignature(ofNothing, isWord: false) }

    static func digest(_ bytes: [UInt8]) -> AWSBodySignature {
        AWSBodySignature(MessageDigest.hexadecimal(bytes), isWord: false)
    }

    static func word(_ word: String) -> AWSBodySignature { AWSBodySignature(word, isWord: true) }

    /// - Throws: `AuthorizationProblem` for a body whose length isn't known; `BodyAlreadySent`.
    static func chunks(of body: RequestBody, trailer: AWSTrailingChecksum?) throws -> AWSBodySignature {
        guard body.canBeSent else { throw BodyAlreadySent() }
        guard let length = body.length else {
            throw AuthorizationProblem("S3 requires the body's length in advance: pass a length, or upload in parts")
        }
        return AWSBodySignature(AWSChunkSigner.payloadWord(trailer), isWord: true, length: length, trailer: trailer)
    }
}
