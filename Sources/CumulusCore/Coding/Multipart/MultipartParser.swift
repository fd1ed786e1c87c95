// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Bytes in, parts out (RFC 2046 section 5.1.1): a value without I/O, fed at any byte boundary.
///
/// A boundary line is CR LF, two hyphens, the boundary, optionally two hyphens, optionally white space, and nothing
/// else; a line that only begins like one is content. Lines end with CR LF, never LF alone.
struct MultipartParser {
    /// A piece of the parsed body.
    enum Event: Equatable {
        /// A part begins.
        case begin(HTTPFields)
        /// More of its content, never empty.
        case bytes([UInt8])
        /// The part has ended.
        case end
    }

    private enum State {
        case preamble
        case header
        case content
        case epilogue
    }

    /// The possible results of a check for a boundary line.
    private enum Line {
        case delimiter(length: Int)
        case close
        case content
        case undecided
    }

    /// The limit of white space after a boundary.
    private static let largestPadding = 1_024

    private let delimiter: [UInt8]
    private let limits: MultipartLimits
    // Begins as if a line had just ended: the first boundary may be at the very start.
    private var buffer: [UInt8] = [0x0D, 0x0A]
    private var position = 0
    /// The position up to which no end of a header was found.
    private var scanned = 0
    private var state = State.preamble
    private var hasPreamble = false
    private var isFinished = false
    /// The CR LF that ends the header is not content, but may begin a boundary line.
    private var isAtBlankLine = false
    /// Whether the next event is already known to be the end.
    private var hasEnded = false
    /// The index of the current part, from 0; -1 before the first.
    private(set) var part = -1

    init(boundary: String, limits: MultipartLimits) {
        delimiter = Array("\r\n--\(boundary)".utf8)
        self.limits = limits
    }

    /// Adds bytes.
    mutating func take(_ chunk: ByteChunk) {
        // The epilogue may have any length, and is ignored.
        if case .epilogue = state { return }
        if position > 0 {
            buffer.removeFirst(position)
            scanned = max(0, scanned - position)
            position = 0
        }
        chunk.withUnsafeBytes { buffer.append(contentsOf: $0) }
    }

    /// Notes that there are no more bytes.
    mutating func finish() { isFinished = true }

    /// The next event; `nil` if more bytes are needed, or after the last part when the input is complete.
    mutating func next() throws(MultipartProblem) -> Event? {
        while true {
            if hasEnded {
                hasEnded = false
                return .end
            }
            switch state {
            case .preamble:
                guard let skipped = try findLine() else { return nil }
                hasPreamble = hasPreamble || !skipped.isEmpty
            case .header: return try readHeader()
            case .content:
                guard let bytes = try findLine() else { return nil }
                if !bytes.isEmpty { return .bytes(bytes) }
            case .epilogue: return nil
            }
        }
    }

    /// Whether the last part has been read.
    var isOver: Bool { state == .epilogue && !hasEnded }

    /// Whether no part has unread content.
    var isBetweenParts: Bool { state != .content && !hasEnded }

    /// The error for a part with more content than the limit.
    var partTooLarge: MultipartProblem {
        MultipartProblem(.tooLarge, part: part, "it is longer than \(limits.partSize) bytes")
    }

    /// The content up to the next boundary line, or as far as it is certainly content; `nil` if there is none yet.
    private mutating func findLine() throws(MultipartProblem) -> [UInt8]? {
        var search = position
        while let start = nextLineEnd(from: search, before: UInt8(ascii: "-")) {
            switch line(at: start) {
            case .content: search = start + 1
            case .undecided: return consume(upTo: start)
            case .delimiter(let length):
                let content = consume(upTo: start) ?? []
                beginPart(after: start + length)
                return content
            case .close:
                let content = consume(upTo: start) ?? []
                // A wrong boundary must not make a body with parts look like one without.
                if state == .preamble, hasPreamble || !content.isEmpty { throw missingStart }
                hasEnded = state == .content
                (state, buffer, position) = (.epilogue, [], 0)
                return content
            }
        }
        guard isFinished else { return consume(upTo: buffer.count) }
        if let rest = consume(upTo: buffer.count), state == .content { return rest }
        guard state == .content else { throw missingStart }
        throw MultipartProblem(.missingEnd, part: part, "the body ends without its closing boundary line")
    }

    private var missingStart: MultipartProblem {
        MultipartProblem(.missingStart, "the body has no boundary line that starts a part")
    }

    /// Takes the content up to an index; `nil` if there is none.
    private mutating func consume(upTo end: Int) -> [UInt8]? {
        var start = position
        if isAtBlankLine {
            // The blank line may still be the start of a boundary line.
            guard end >= position + 2 else { return nil }
            start += 2
            isAtBlankLine = false
        }
        position = end
        return end > start ? Array(buffer[start..<end]) : nil
    }

    private mutating func beginPart(after end: Int) {
        hasEnded = state == .content
        isAtBlankLine = false
        (state, position, scanned) = (.header, end, end)
    }

    /// The next CR that is followed by LF and then `next`, as far as the bytes are there.
    private func nextLineEnd(from start: Int, before next: UInt8) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var search = start
            while search < bytes.count, let found = memchr(base + search, 0x0D, bytes.count - search) {
                let index = base.distance(to: found)
                let isLineEnd = index + 1 >= bytes.count || bytes[index + 1] == 0x0A
                if isLineEnd, index + 2 >= bytes.count || bytes[index + 2] == next { return index }
                search = index + 1
            }
            return nil
        }
    }

    /// Classifies the line that begins with the CR at an index.
    private func line(at start: Int) -> Line {
        let undecided = isFinished ? Line.content : .undecided
        let available = buffer[start...]
        guard available.prefix(delimiter.count).elementsEqual(delimiter.prefix(available.count)) else {
            return .content
        }
        guard available.count >= delimiter.count else { return undecided }
        var rest = available.dropFirst(delimiter.count)
        let hyphens = rest.prefix(2).prefix { $0 == UInt8(ascii: "-") }.count
        if hyphens == 1 { return rest.count == 1 ? undecided : .content }
        rest = rest.dropFirst(hyphens)
        let padding = rest.prefix { $0 == 0x20 || $0 == 0x09 }.count
        guard padding <= Self.largestPadding else { return .content }
        rest = rest.dropFirst(padding)
        guard rest.prefix(2).elementsEqual([0x0D, 0x0A].prefix(rest.count)) else { return .content }
        if hyphens == 2, rest.count >= 2 || rest.isEmpty && isFinished { return .close }
        guard rest.count >= 2 else { return undecided }
        return .delimiter(length: delimiter.count + padding + 2)
    }
}

extension MultipartParser {
    private mutating func readHeader() throws(MultipartProblem) -> Event? {
        guard part + 1 < limits.parts else {
            throw MultipartProblem(.tooLarge, "the body has more than \(limits.parts) parts")
        }
        guard let end = endOfHeader() else {
            if buffer.count - position > limits.headerSize { throw headerTooLarge }
            guard !isFinished else {
                throw MultipartProblem(.missingEnd, part: part + 1, "the body ends within its header")
            }
            scanned = max(position, buffer.count - 3)
            return nil
        }
        if end - position > limits.headerSize { throw headerTooLarge }
        let fields = try HTTPFields(partHeader: buffer[position..<end], part: part + 1)
        part += 1
        // Lines end with CR LF, so the blank line is at the end of the last one, or at the start of the header.
        position = end
        isAtBlankLine = true
        state = .content
        return .begin(fields)
    }

    /// The start of the blank line that ends the header.
    private func endOfHeader() -> Int? {
        if buffer[position...].starts(with: [0x0D, 0x0A]) { return position }
        var search = max(position, scanned)
        while let start = nextLineEnd(from: search, before: 0x0D) {
            if buffer[start...].starts(with: [0x0D, 0x0A, 0x0D, 0x0A]) { return start + 2 }
            search = start + 1
        }
        return nil
    }

    private var headerTooLarge: MultipartProblem {
        MultipartProblem(.tooLarge, part: part + 1, "its header is longer than \(limits.headerSize) bytes")
    }
}
