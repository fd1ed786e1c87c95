// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The bytes of a fixture's body: in memory, or in a file that is read with the body.
enum FixtureContent: Sendable {
    case bytes(ByteChunk)
    case file(FixtureFile)

    var length: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(let file): file.length
        }
    }

    /// A part of the content.
    func read(_ range: Range<Int64>) throws -> ByteChunk {
        switch self {
        case .bytes(let bytes):
            if range.count == bytes.count { return bytes }
            return ByteChunk(
                bytes.withUnsafeBytes { [UInt8]($0.dropFirst(Int(range.lowerBound)).prefix(range.count)) }
            )
        case .file(let file): return try file.read(range)
        }
    }
}
