// SPDX-License-Identifier: Apache-2.0

/// Reads chunk-size lines (RFC 9112 section 7.1) and counts framing that carries no content.
struct HTTP1ChunkMeter {
    /// A chunk-size line with its CR LF.
    struct Line: Equatable {
        var size: Int64
        var length: Int
        /// Whether white space follows the size without an extension, as devices with buffers of a fixed size send it.
        var isPadded = false
    }

    /// Framing bytes beyond 16 per chunk and what its content pays for.
    private var overhead = 0

    /// The line at the start of `bytes`; `nil` if it is incomplete.
    ///
    /// A line is read from its start each time; its limit keeps that cheap.
    func sizeLine(_ bytes: UnsafeRawBufferPointer, limits: HTTP1Limits) throws(HTTP1ProtocolError) -> Line? {
        var size: Int64 = 0
        var index = 0
        while index < bytes.count, let digit = HTTP1Syntax.hexDigit(bytes[index]) {
            // Sixteen digits, of which the first may only be a zero: fifteen fit the type, and no body is larger.
            if index == 16 || index == 15 && size >> 56 != 0 { throw .malformedChunkSize }
            size = size << 4 | Int64(digit)
            index += 1
        }
        if index == bytes.count { return nil }
        if index == 0 { throw .malformedChunkSize }
        let isPadded = try Self.skipExtensions(bytes, &index, limits: limits)
        if index == bytes.count { return nil }
        guard bytes[index] == HTTP1Syntax.carriageReturn else { throw .malformedChunkSize }
        if index + 1 == bytes.count { return nil }
        guard bytes[index + 1] == HTTP1Syntax.lineFeed else { throw .malformedChunkSize }
        return Line(size: size, length: index + 2, isPadded: isPadded)
    }

    /// Counts a line, and refuses a body that is mostly framing.
    mutating func account(for line: Line, limits: HTTP1Limits) throws(HTTP1ProtocolError) {
        // Of a small chunk, each byte pays for eight, up to the length of a signature; of a large one, 16 pay for one.
        let allowance = 16 + Int(max(min(line.size, 16) * 8, min(line.size / 16, 1 << 20)))
        overhead = max(0, overhead + line.length - allowance)
        if overhead > limits.chunkOverheadBytes {
            throw .chunkExtensionsTooLarge(limit: limits.chunkOverheadBytes)
        }
    }

    /// Skips `*( BWS ";" ... )` up to the carriage return; extensions are ignored, as everywhere.
    ///
    /// Returns whether there is only white space, which is not in the grammar.
    private static func skipExtensions(
        _ bytes: UnsafeRawBufferPointer,
        _ index: inout Int,
        limits: HTTP1Limits
    ) throws(HTTP1ProtocolError) -> Bool {
        let start = index
        var seenSemicolon = false
        while index < bytes.count, bytes[index] != HTTP1Syntax.carriageReturn {
            let byte = bytes[index]
            if byte == UInt8(ascii: ";") { seenSemicolon = true }
            guard HTTP1Syntax.isFieldText(byte), seenSemicolon || HTTP1Syntax.isBlank(byte) else {
                throw .malformedChunkSize
            }
            index += 1
            if index > limits.chunkLineBytes { throw .chunkExtensionsTooLarge(limit: limits.chunkLineBytes) }
        }
        return !seenSemicolon && index > start
    }
}
