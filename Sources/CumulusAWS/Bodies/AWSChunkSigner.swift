// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Frames a payload in chunks, each signed over the one before it (`STREAMING-AWS4-HMAC-SHA256-PAYLOAD`).
package struct AWSChunkSigner: Sendable {
    /// The size of all chunks but the last; S3 requires at least 8 KiB.
    static let size = 128 * 1_024
    private static let mark = ";chunk-signature="
    private static let signatureLength: Int64 = 64
    private static let ofNothing = MessageDigest.hexadecimal(MessageDigest.sha256(of: []))

    private let signer: AWSSigner
    private let trailer: AWSTrailingChecksum?
    private var checksum: AWSTrailingChecksum.Running?
    private var previous: String

    /// Starts with the signature of the request's head.
    package init(_ signer: AWSSigner, seed: String, trailer: AWSTrailingChecksum?) {
        self.signer = signer
        self.trailer = trailer
        checksum = trailer.map { AWSTrailingChecksum.Running($0) }
        previous = seed
    }

    /// The keyword that replaces the payload's digest in the head.
    static func payloadWord(_ trailer: AWSTrailingChecksum?) -> String {
        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" + (trailer == nil ? "" : "-TRAILER")
    }

    /// The length of a payload with its frames; `nil` on overflow.
    static func length(of payload: Int64, size: Int = Self.size, trailer: AWSTrailingChecksum?) -> Int64? {
        guard payload >= 0 else { return nil }
        let (whole, rest) = payload.quotientAndRemainder(dividingBy: Int64(size))
        func frame(_ count: Int64) -> Int64 {
            Int64(String(count, radix: 16).utf8.count + mark.utf8.count) + signatureLength + 4
        }
        let frames = whole.multipliedReportingOverflow(by: frame(Int64(size)))
        var extra = frames.partialValue
        if rest > 0 { extra += frame(rest) }
        extra += frame(0)
        // name:digest\r\n, x-amz-trailer-signature:signature\r\n
        if let trailer { extra += Int64(trailer.name.utf8.count) + 1 + trailer.length + 2 + 24 + signatureLength + 2 }
        let sum = payload.addingReportingOverflow(extra)
        return frames.overflow || sum.overflow ? nil : sum.partialValue
    }

    /// Frames a chunk.
    package mutating func chunk(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        checksum?.update(bytes)
        var digest = MessageDigest(.sha256)
        digest.update(bytes)
        sign("AWS4-HMAC-SHA256-PAYLOAD", "\(Self.ofNothing)\n\(MessageDigest.hexadecimal(digest.bytes))")
        var framed: [UInt8] = []
        framed.reserveCapacity(bytes.count + 96)
        framed += "\(String(bytes.count, radix: 16))\(Self.mark)\(previous)\r\n".utf8
        framed += bytes
        framed += "\r\n".utf8
        return framed
    }

    /// The last chunk, which is empty, followed by the trailer.
    package mutating func end() -> [UInt8] {
        sign("AWS4-HMAC-SHA256-PAYLOAD", "\(Self.ofNothing)\n\(Self.ofNothing)")
        var text = "0\(Self.mark)\(previous)\r\n"
        if let trailer, let checksum {
            let field = "\(trailer.name):\(checksum.base64)"
            let digest = MessageDigest.sha256(of: Array("\(field)\n".utf8))
            sign("AWS4-HMAC-SHA256-TRAILER", MessageDigest.hexadecimal(digest))
            text += "\(field)\r\nx-amz-trailer-signature:\(previous)\r\n"
        }
        return Array("\(text)\r\n".utf8)
    }

    private mutating func sign(_ kind: String, _ rest: String) {
        previous = signer.key.signature(
            of: "\(kind)\n\(signer.timestamp.text)\n\(signer.key.scope.text)\n\(previous)\n\(rest)"
        )
    }
}
