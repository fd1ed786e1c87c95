// SPDX-License-Identifier: Apache-2.0

/// Reads chunk-size lines (RFC 9112 section 7.1) and counts framing that carries no content (T-31).
struct HTTP1ChunkMeter {
    /// A chunk-size line with its CR LF.
    struct Line: Equatable {
        var size: Int64
        var length: Int
    }

    /// Framing bytes beyond 16 per chunk and one for each 16 bytes of its content.
    private var overhead = 0

    /// The line at the start of `bytes`; `nil` if it is incomplete.
    ///
    /// A line is read from its start each time; its limit keeps that cheap.
    func sizeLine(_ bytes: UnsafeRawBufferPointer, limits: HTTP1Limits) throws(HTTP1ProtocolError) -> Line? {
        var size: Int64 = 0
        var index = 0
        while index < bytes.count, let digit = HTTP1Syntax.hexDigit(bytes[index]) {
            // Fifteen digits fit the type, and no body is larger.
            if index == 15 { throw .malformedChunkSize }
            size = size << 4 | Int64(digit)
            index += 1
        }
        if index == bytes.count { return nil }
        if index == 0 { throw .malformedChunkSize }
        try Self.skipExtensions(bytes, &index, limits: limits)
        if index == bytes.count { return nil }
        guard bytes[index] == HTTP1Syntax.carriageReturn else { throw .malformedChunkSize }
        if index + 1 == bytes.count { return nil }
        guard bytes[index + 1] == HTTP1Syntax.lineFeed else { throw .malformedChunkSize }
        return Line(size: size, length: index + 2)
    }

    /// Counts a line, and refuses a body that is mostly framing.
    mutating func account(for line: Line, limits: HTTP1Limits) throws(HTTP1ProtocolError) {
        let allowance = 16 + Int(min(line.size / 16, 1 << 20))
        overhead = max(0, overhead + line.length - allowance)
        if overhead > limits.chunkOverheadBytes {
            throw .chunkExtensionsTooLarge(limit: limits.chunkOverheadBytes)
        }
    }

    /// Skips `*( BWS ";" ... )` up to the carriage return; extensions are ignored, as everywhere.
    private static func skipExtensions(
        _ bytes: UnsafeRawBufferPointer,
        _ index: inout Int,
        limits: HTTP1Limits
    ) throws(HTTP1ProtocolError) {
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
        // Padding after the size without an extension is not in the grammar.
        if index < bytes.count, !seenSemicolon, HTTP1Syntax.isBlank(bytes[index - 1]) { throw .malformedChunkSize }
    }
}
