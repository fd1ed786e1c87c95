// SPDX-License-Identifier: Apache-2.0

/// Reads the elements of a DER sequence; just enough to find the names and the key in a certificate.
package struct DERReader {
    private var bytes: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// Reads inside an element.
    package init(contentsOf element: ArraySlice<UInt8>) {
        bytes = Self.split(element).map { element[$0.content] } ?? []
    }

    /// The tag of the next element.
    package var peek: UInt8? { bytes.first }

    /// The remaining bytes.
    package var remainder: [UInt8] { Array(bytes) }

    /// The next element with its tag and length.
    package mutating func next() -> ArraySlice<UInt8>? {
        guard let parts = Self.split(bytes) else { return nil }
        let element = bytes[bytes.startIndex..<parts.content.upperBound]
        bytes = bytes[parts.content.upperBound...]
        return element
    }

    /// A reader inside the first element.
    package func nested() -> DERReader? {
        bytes.isEmpty ? nil : DERReader(contentsOf: bytes)
    }

    private static func split(_ bytes: ArraySlice<UInt8>) -> (content: Range<Int>, tag: UInt8)? {
        guard bytes.count >= 2, let tag = bytes.first else { return nil }
        var index = bytes.startIndex + 1
        var length = Int(bytes[index])
        index += 1
        if length >= 0x80 {
            let count = length & 0x7f
            guard count > 0, count <= 3, bytes.endIndex - index >= count else { return nil }
            length = bytes[index..<(index + count)].reduce(0) { $0 << 8 | Int($1) }
            index += count
        }
        guard bytes.endIndex - index >= length else { return nil }
        return (index..<(index + length), tag)
    }
}
