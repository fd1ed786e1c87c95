// SPDX-License-Identifier: Apache-2.0

/// Reads an image's size from its first bytes; every offset is checked before it is read.
struct ImageHead {
    typealias Size = (width: Int, height: Int)

    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    func size(of format: EncodedImage.Format) throws -> Size {
        guard let size = try sizeIfTold(format) else {
            throw CodingProblem("the \(format) is truncated or damaged before its size")
        }
        return size
    }

    private func sizeIfTold(_ format: EncodedImage.Format) throws -> Size? {
        switch format {
        case .png: png()
        case .jpeg: jpeg()
        case .gif: pair(big: false, at: 6, bytes: 2)
        case .tiff: tiff()
        case .webp: webp()
        case .bmp: bmp()
        case .heic, .avif: primaryItem()
        }
    }

    // MARK: Formats

    /// The header chunk comes first (PNG, third edition, section 11.2.1).
    private func png() -> Size? {
        guard matches("IHDR", at: 12), let size = pair(big: true, at: 16, bytes: 4) else { return nil }
        // The specification's own limit.
        return size.width > Int(Int32.max) || size.height > Int(Int32.max) ? nil : size
    }

    /// Follows the markers to the frame header (ITU T.81 section B.2.2).
    private func jpeg() -> Size? {
        var place = 2
        while let marker = number(big: true, at: place, bytes: 2), marker > 0xFF00 {
            let code = marker & 0xFF
            if code == 0xFF {
                place += 1  // Fill bytes may come before a marker.
                continue
            }
            if (0xD0...0xD8).contains(code) || code == 0x01 {
                place += 2
                continue
            }
            guard let length = number(big: true, at: place + 2, bytes: 2), length >= 2, code != 0xD9, code != 0xDA
            else {
                return nil
            }
            // All codes of frame headers, except those of the tables and extensions in the same range.
            if (0xC0...0xCF).contains(code), ![0xC4, 0xC8, 0xCC].contains(code) {
                return pair(big: true, at: place + 5, bytes: 2).map { (width: $0.height, height: $0.width) }
            }
            place += 2 + length
        }
        return nil
    }

    /// The first directory's entries for width and length (TIFF 6.0 section 2).
    private func tiff() -> Size? {
        let big = bytes[0] == 0x4D
        guard let start = number(big: big, at: 4, bytes: 4), let count = number(big: big, at: start, bytes: 2) else {
            return nil
        }
        var width: Int?
        var height: Int?
        for entry in 0..<count {
            let place = start + 2 + entry * 12
            guard let tag = number(big: big, at: place, bytes: 2), let kind = number(big: big, at: place + 2, bytes: 2)
            else { return nil }
            guard tag == 256 || tag == 257 else { continue }
            // SHORT or LONG.
            guard kind == 3 || kind == 4 else { return nil }
            let value = number(big: big, at: place + 8, bytes: kind == 3 ? 2 : 4)
            if tag == 256 { width = value } else { height = value }
        }
        return width.flatMap { width in height.map { (width, $0) } }
    }

    private func webp() -> Size? {
        if matches("VP8 ", at: 12) {
            // The frame header after the start code (RFC 6386 section 9.1): 14 bits each.
            guard matches([0x9D, 0x01, 0x2A], at: 23), let size = pair(big: false, at: 26, bytes: 2) else { return nil }
            return (size.width & 0x3FFF, size.height & 0x3FFF)
        }
        if matches("VP8L", at: 12) {
            guard number(big: false, at: 20, bytes: 1) == 0x2F, let bits = number(big: false, at: 21, bytes: 4) else {
                return nil
            }
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        }
        guard matches("VP8X", at: 12), let size = pair(big: false, at: 24, bytes: 3) else { return nil }
        return (size.width + 1, size.height + 1)
    }

    private func bmp() -> Size? {
        guard let header = number(big: false, at: 14, bytes: 4) else { return nil }
        if header == 12 { return pair(big: false, at: 18, bytes: 2) }
        guard let size = pair(big: false, at: 18, bytes: 4) else { return nil }
        // Both are signed; a negative height means that the first row is the top one.
        let height = Int(Int32(truncatingIfNeeded: size.height))
        return (Int(Int32(truncatingIfNeeded: size.width)), height == Int(Int32.min) ? 0 : abs(height))
    }

    // MARK: Bytes

    func matches(_ text: StaticString, at place: Int) -> Bool {
        matches((0..<text.utf8CodeUnitCount).map { text.utf8Start[$0] }, at: place)
    }

    private func matches(_ expected: [UInt8], at place: Int) -> Bool {
        place <= bytes.count - expected.count && bytes[place..<place + expected.count].elementsEqual(expected)
    }

    func pair(big: Bool, at place: Int, bytes size: Int) -> Size? {
        guard let width = number(big: big, at: place, bytes: size) else { return nil }
        return number(big: big, at: place + size, bytes: size).map { (width, $0) }
    }

    /// A number of up to eight bytes; `nil` past the end, or if it is too large.
    func number(big: Bool, at place: Int, bytes size: Int) -> Int? {
        guard place >= 0, place <= bytes.count - size else { return nil }
        let run = bytes[place..<place + size]
        let value =
            big ? run.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } : run.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }
}
