// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHPACK

/// A field section that may not fit into one frame (RFC 9113 section 6.10).
///
/// NIOHTTP2 writes no CONTINUATION frames. It gets a short section, so that it knows of the stream, and its frame is
/// completed on the way out; the additional fields use no tables, which belong to NIOHTTP2.
struct HTTP2LargeHead {
    /// The largest frame that every peer accepts (RFC 9113 section 4.2).
    static let frameSize = 16_384
    /// How NIOHTTP2 writes the path `/`, as a literal with an indexed name; the last field of the short section.
    private static let placeholder: [UInt8] = [0x04, 0x81, 0x63]

    /// The section for NIOHTTP2.
    let beginning: HPACKHeaders
    /// The real path and all further fields, as literals.
    private var rest = ByteBuffer()

    /// Splits a section; `nil` if it certainly fits into one frame.
    init?(_ fields: HPACKHeaders) {
        if Self.fits(fields) { return nil }
        var beginning = HPACKHeaders()
        for (name, value, _) in fields {
            switch name {
            case ":method", ":scheme", ":authority": beginning.add(name: name, value: value)
            case ":path":
                rest.writeInteger(UInt8(0x04))
                Self.write(value, to: &rest)
            default: break
            }
        }
        beginning.add(name: ":path", value: "/", indexing: .nonIndexable)
        self.beginning = beginning
        for (name, value, indexing) in fields where name.utf8.first != UInt8(ascii: ":") {
            rest.writeInteger(UInt8(indexing == .neverIndexed ? 0x10 : 0x00))
            Self.write(name, to: &rest)
            Self.write(value, to: &rest)
        }
    }

    /// The frames of the whole section, made of NIOHTTP2's frame; `nil` if that isn't one for this section.
    func frames(completing frame: ByteBuffer) -> ByteBuffer? {
        let bytes = frame.readableBytesView
        guard bytes.count >= 9 + Self.placeholder.count, bytes.suffix(3).elementsEqual(Self.placeholder),
            let type = frame.getInteger(at: frame.readerIndex + 3, as: UInt8.self), type == 1,
            let flags = frame.getInteger(at: frame.readerIndex + 4, as: UInt8.self),
            let stream = frame.getInteger(at: frame.readerIndex + 5, as: UInt32.self)
        else { return nil }
        var block = ByteBuffer(bytes[bytes.startIndex + 9..<bytes.endIndex - Self.placeholder.count])
        block.writeImmutableBuffer(rest)
        var result = ByteBufferAllocator().buffer(capacity: block.readableBytes + 64)
        var isFirst = true
        while let piece = block.readSlice(length: min(block.readableBytes, Self.frameSize)), piece.readableBytes > 0 {
            let endsSection: UInt8 = block.readableBytes == 0 ? 0x04 : 0
            result.writeInteger(UInt8(piece.readableBytes >> 16))
            result.writeInteger(UInt16(truncatingIfNeeded: piece.readableBytes))
            result.writeInteger(UInt8(isFirst ? 1 : 9))
            result.writeInteger((isFirst ? flags & ~0x04 : 0) | endsSection)
            result.writeInteger(stream)
            result.writeImmutableBuffer(piece)
            isFirst = false
        }
        return result
    }

    /// Whether a section fits into one frame, whatever the tables hold.
    private static func fits(_ fields: HPACKHeaders) -> Bool {
        // For each field a mark and two lengths; before them two sizes of the table.
        var plain = 16
        for (name, value, _) in fields { plain += 11 + name.utf8.count + value.utf8.count }
        // No byte takes more than 30 bits (RFC 7541 appendix B).
        if plain * 4 <= frameSize { return true }
        if plain > 2 * frameSize { return false }
        var size = 16
        for (name, value, _) in fields { size += 11 + largestSize(of: name) + largestSize(of: value) }
        return size <= frameSize
    }

    /// The most bytes that a string's Huffman code may take.
    private static func largestSize(of string: String) -> Int {
        string.utf8.reduce(into: 0) { size, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"),
                UInt8(ascii: "_"), UInt8(ascii: "="), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "%"),
                UInt8(ascii: "&"), UInt8(ascii: ","), UInt8(ascii: "*"), UInt8(ascii: " "):
                size += 1
            default: size += 4
            }
        }
    }

    /// Writes a string without a Huffman code (RFC 7541 section 5.2).
    private static func write(_ string: String, to buffer: inout ByteBuffer) {
        var length = string.utf8.count
        if length < 127 {
            buffer.writeInteger(UInt8(length))
        } else {
            buffer.writeInteger(UInt8(127))
            length -= 127
            while length >= 128 {
                buffer.writeInteger(UInt8(length & 0x7f | 0x80))
                length >>= 7
            }
            buffer.writeInteger(UInt8(length))
        }
        buffer.writeString(string)
    }
}
