// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Reads a header or trailer section line by line, regardless of how it is cut into pieces.
///
/// It keeps offsets into the section, so each byte is examined at most twice: once for the end of its line and once for
/// the line's content. A head is read leniently where RFC 9112 requires it or every client does: a line may end
/// in a bare line feed or be folded, and a field with white space before its colon is dropped. Trailers are part of the
/// chunked framing, and read strictly.
struct HTTP1HeadScanner {
    /// The result of a pass over the bytes.
    enum Outcome {
        case needsMore
        /// The section, including its empty line, has this many bytes.
        case complete(length: Int)
    }

    /// Deviations from the grammar in a head.
    struct Leniency {
        /// The positions of dropped fields' names.
        var droppedNames: [Range<Int>] = []
        /// The indices of entries whose values still contain folds.
        var foldedEntries: [Int] = []
    }

    /// The status line; stays zero in a trailer section.
    private(set) var status = 0
    private(set) var minorVersion = 0
    private(set) var reasonRange = 0..<0
    /// Whether it is `200 OK`, as for most responses, whose reason need not be read again.
    private(set) var isOK = false
    private(set) var entries: [HTTP1FieldSection.Entry] = []
    /// The accepted deviations from the grammar; `nil` if there were none.
    private(set) var leniency: Leniency?
    private var lineStart = 0
    private var scanned = 0
    private var lines = 0
    private var isInDroppedField = false
    private var expectsStatusLine: Bool
    private let isTrailer: Bool

    /// A scanner at the first byte of a response.
    static var head: HTTP1HeadScanner { HTTP1HeadScanner(expectsStatusLine: true, isTrailer: false) }
    /// A scanner after the last chunk.
    static var trailers: HTTP1HeadScanner { HTTP1HeadScanner(expectsStatusLine: false, isTrailer: true) }

    private init(expectsStatusLine: Bool, isTrailer: Bool) {
        self.expectsStatusLine = expectsStatusLine
        self.isTrailer = isTrailer
    }

    /// Takes the fields of a complete section, which the scanner no longer needs.
    mutating func takeEntries() -> [HTTP1FieldSection.Entry] {
        var taken: [HTTP1FieldSection.Entry] = []
        swap(&taken, &entries)
        return taken
    }

    /// Continues where the last pass stopped; `bytes` is the section from its first byte.
    mutating func scan(
        _ bytes: UnsafeRawBufferPointer,
        limits: HTTP1Limits
    ) throws(HTTP1ProtocolError) -> Outcome {
        while true {
            guard let lineFeed = Self.lineFeed(in: bytes, from: scanned) else {
                scanned = bytes.count
                if bytes.count > limits.headBytes { throw .headTooLarge(limit: limits.headBytes) }
                // Another protocol on the port is detected by its first bytes, not by a time limit.
                if expectsStatusLine { try Self.checkPrefix(of: bytes) }
                return .needsMore
            }
            if lineFeed >= limits.headBytes { throw .headTooLarge(limit: limits.headBytes) }
            let start = lineStart
            scanned = lineFeed + 1
            lineStart = scanned
            if expectsStatusLine { try Self.checkPrefix(of: bytes) }
            var end = lineFeed - 1
            if lineFeed == start || bytes[end] != HTTP1Syntax.carriageReturn {
                if isTrailer { throw .bareLineFeed }
                leniency = leniency ?? Leniency()
                end = lineFeed
            }
            if end == start, !expectsStatusLine { return .complete(length: scanned) }
            lines += 1
            if lines > limits.headLines { throw .tooManyLines(limit: limits.headLines) }
            if expectsStatusLine {
                try readStatusLine(bytes, end: end)
                expectsStatusLine = false
            } else {
                try readField(bytes, start: start, end: end)
            }
        }
    }

    private static func lineFeed(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, start < bytes.count,
            let found = memchr(base + start, Int32(HTTP1Syntax.lineFeed), bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    private static func checkPrefix(of bytes: UnsafeRawBufferPointer) throws(HTTP1ProtocolError) {
        var index = 0
        let prefix: StaticString = "HTTP/1."
        while index < min(bytes.count, prefix.utf8CodeUnitCount) {
            if bytes[index] != prefix.utf8Start[index] {
                // An alert, and the version (RFC 8446 section 5.1).
                let isRecord = bytes.count >= 2 && bytes[0] == 0x15 && bytes[1] == 0x03
                throw isRecord ? .tlsRecord : .notHTTP
            }
            index += 1
        }
    }

    /// `HTTP/1.x SP 3DIGIT [SP reason]`, RFC 9112 section 4; the space before an empty reason is often left out.
    private mutating func readStatusLine(
        _ bytes: UnsafeRawBufferPointer,
        end: Int
    ) throws(HTTP1ProtocolError) {
        guard end >= 12, let version = HTTP1Syntax.digit(bytes[7]), bytes[8] == HTTP1Syntax.space,
            let hundreds = HTTP1Syntax.digit(bytes[9]), let tens = HTTP1Syntax.digit(bytes[10]),
            let ones = HTTP1Syntax.digit(bytes[11]), hundreds > 0, end == 12 || bytes[12] == HTTP1Syntax.space
        else { throw .malformedStatusLine }
        minorVersion = version
        status = hundreds * 100 + tens * 10 + ones
        reasonRange = min(13, end)..<end
        isOK = status == 200 && end == 15 && bytes[13] == UInt8(ascii: "O") && bytes[14] == UInt8(ascii: "K")
        try Self.checkText(bytes[reasonRange])
    }

    private mutating func readField(
        _ bytes: UnsafeRawBufferPointer,
        start: Int,
        end: Int
    ) throws(HTTP1ProtocolError) {
        if HTTP1Syntax.isBlank(bytes[start]) { return try readFold(bytes, start: start, end: end) }
        let colon = HTTP1Syntax.endOfToken(in: bytes, from: start, to: end)
        guard colon > start, colon < end, bytes[colon] == HTTP1Syntax.colon else {
            try Self.checkText(bytes[start..<end])
            return try dropField(bytes, name: start..<colon, end: end)
        }
        isInDroppedField = false
        var (low, high) = (colon + 1, end)
        while low < high, HTTP1Syntax.isBlank(bytes[low]) { low += 1 }
        while high > low, HTTP1Syntax.isBlank(bytes[high - 1]) { high -= 1 }
        // Slices are made only to report the fault.
        if HTTP1Syntax.firstNoFieldText(in: bytes, from: low, to: high) != nil {
            try Self.checkText(bytes[low..<high], of: bytes[start..<colon])
        }
        if entries.isEmpty { entries.reserveCapacity(isTrailer ? 2 : 12) }
        entries.append(
            HTTP1FieldSection.Entry(
                nameStart: UInt32(truncatingIfNeeded: start),
                nameEnd: UInt32(truncatingIfNeeded: colon),
                valueStart: UInt32(truncatingIfNeeded: low),
                valueEnd: UInt32(truncatingIfNeeded: high)
            )
        )
    }

    /// A line that continues the previous field (RFC 9112 section 5.2).
    private mutating func readFold(
        _ bytes: UnsafeRawBufferPointer,
        start: Int,
        end: Int
    ) throws(HTTP1ProtocolError) {
        // After the status line there is no field to continue (section 2.2).
        guard !isTrailer, isInDroppedField || !entries.isEmpty else { throw .foldedLine }
        let text = HTTP1Syntax.trimmed(bytes[start..<end])
        let owner = isInDroppedField ? nil : entries.last
        try Self.checkText(text, of: owner.map { bytes[Int($0.nameStart)..<Int($0.nameEnd)] })
        var leniency = leniency ?? Leniency()
        defer { self.leniency = leniency }
        if isInDroppedField || text.isEmpty { return }
        let index = entries.count - 1
        entries[index].valueEnd = UInt32(truncatingIfNeeded: text.endIndex)
        if leniency.foldedEntries.last != index { leniency.foldedEntries.append(index) }
    }

    /// A field with white space before its colon: dropped, unless it affects the message's framing.
    private mutating func dropField(
        _ bytes: UnsafeRawBufferPointer,
        name: Range<Int>,
        end: Int
    ) throws(HTTP1ProtocolError) {
        var colon = name.upperBound
        while colon < end, HTTP1Syntax.isBlank(bytes[colon]) { colon += 1 }
        let isFraming = HTTP1FieldNames.framing.contains { HTTP1Syntax.matches(bytes[name], $0) }
        guard !isTrailer, !name.isEmpty, colon < end, bytes[colon] == HTTP1Syntax.colon, !isFraming else {
            throw .malformedFieldName
        }
        var leniency = leniency ?? Leniency()
        leniency.droppedNames.append(name)
        self.leniency = leniency
        isInDroppedField = true
    }

    @inline(__always)
    private static func checkText(
        _ bytes: Slice<UnsafeRawBufferPointer>,
        of name: Slice<UnsafeRawBufferPointer>? = nil
    ) throws(HTTP1ProtocolError) {
        guard let index = HTTP1Syntax.firstNoFieldText(in: UnsafeRawBufferPointer(rebasing: bytes)) else { return }
        if bytes[bytes.startIndex + index] == HTTP1Syntax.carriageReturn { throw .bareCarriageReturn }
        throw .controlCharacter(in: name.map { String(decoding: $0, as: UTF8.self) })
    }
}
