// SPDX-License-Identifier: Apache-2.0

import CumulusCodings
@testable import CumulusCore

/// Coded bodies: read whole and byte by byte they give the same bytes, or both a refusal, in pieces of a bounded size.
///
/// The first byte chooses the coding; the rest is the body.
enum ContentCodingTarget: FuzzTarget {
    static let name = "content-coding"

    private static let codings: [ContentCoding] = [.gzip, .deflate, .brotli, .zstd]

    static func check(_ input: UnsafeRawBufferPointer) {
        guard let choice = input.first else { return }
        let coding = codings[Int(choice) % codings.count]
        guard coding.isAvailable else { return }
        let body = [UInt8](input.dropFirst())
        let whole = decoded(body, by: coding, piece: max(1, body.count))
        for piece in [1, 7] {
            let other = decoded(body, by: coding, piece: piece)
            let counts = "\(other?.count ?? -1) bytes, whole \(whole?.count ?? -1)"
            expect(other == whole, "in pieces of \(piece) it is \(counts)")
        }
        guard coding.canEncode else { return }
        let sent = encoded(body, by: coding)
        expect(decoded(sent, by: coding, piece: sent.count) == body, "what was encoded is decoded as something else")
    }

    /// The decoded bytes; `nil` for a refusal.
    private static func decoded(_ body: [UInt8], by coding: ContentCoding, piece: Int) -> [UInt8]? {
        var inflation = Inflation(coding)
        var bytes: [UInt8] = []
        var start = 0
        do {
            while true {
                // As if all had been received: how much has come depends on the pieces.
                if case .bytes(let chunk) = try inflation.step(received: Int64(body.count)) {
                    if chunk.count > Inflation.pieceSize { finding("a piece of \(chunk.count) bytes") }
                    bytes += chunk.bytes
                    continue
                }
                if start == body.count { break }
                let end = min(start + piece, body.count)
                inflation.feed(ByteChunk([UInt8](body[start..<end])))
                start = end
            }
            try inflation.finish()
            return bytes
        } catch {
            return nil
        }
    }

    private static func encoded(_ body: [UInt8], by coding: ContentCoding) -> [UInt8] {
        do {
            var compression = try Compression(coding)
            let half = body.count / 2
            let first = try compression.compress(ByteChunk([UInt8](body[..<half])), isLast: false) ?? []
            return first + (try compression.compress(ByteChunk([UInt8](body[half...])), isLast: true) ?? [])
        } catch {
            finding("what was to be encoded is refused: \(error)")
        }
    }
}
