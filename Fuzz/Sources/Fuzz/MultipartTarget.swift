// SPDX-License-Identifier: Apache-2.0

@testable import CumulusCore

/// Bodies in parts: read whole and byte by byte they give the same parts, or the same refusal.
enum MultipartTarget: FuzzTarget {
    static let name = "multipart"

    static func check(_ input: UnsafeRawBufferPointer) {
        let bytes = [UInt8](input)
        let whole = events(of: bytes, piece: max(1, bytes.count))
        for piece in [1, 7] {
            let other = events(of: bytes, piece: piece)
            expect(other == whole, "in pieces of \(piece) it reads as \(other), whole as \(whole)")
        }
    }

    /// Headers and contents in words, contents of one part joined.
    private static func events(of bytes: [UInt8], piece: Int) -> [String] {
        var parser = MultipartParser(boundary: "b", limits: MultipartLimits())
        var seen: [String] = []
        var content: [UInt8] = []
        var start = 0
        var hasFinished = false
        func settle() {
            if !content.isEmpty { seen.append("content \(content)") }
            content = []
        }
        do {
            while true {
                while let event = try parser.next() {
                    switch event {
                    case .bytes(let piece): content += piece
                    default:
                        settle()
                        seen.append("\(event)")
                    }
                    if seen.count > 10_000 { finding("events without end") }
                }
                if hasFinished { break }
                let end = min(start + piece, bytes.count)
                if start < end { parser.take(ByteChunk([UInt8](bytes[start..<end]))) }
                start = end
                if start == bytes.count {
                    parser.finish()
                    hasFinished = true
                }
            }
        } catch {
            // A content that breaks off may have been handed on in part.
            content = []
            seen.append("\(error.kind)")
        }
        settle()
        return seen
    }
}
