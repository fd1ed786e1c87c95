// SPDX-License-Identifier: Apache-2.0

/// Parses a `text/event-stream` body: pieces of bytes in, events out (WHATWG HTML, section "Server-sent events").
///
/// A value without I/O. It holds at most one line that is not complete and one event that is not complete, each of at
/// most `limit` bytes.
struct EventParser: Sendable {
    /// The maximum length in bytes of a line, and of the lines of an event together, without comments and line ends.
    var limit: Int
    /// The number of the last line that was complete.
    private(set) var line = 0
    /// The number of events that were returned.
    private(set) var count = 0
    /// The ID with which a new connection continues after the events so far; empty for none.
    private(set) var lastEventID: String
    /// The last valid value of a `retry` field.
    private(set) var retry: Duration?

    /// The beginning of a line that is not complete.
    private var partial: [UInt8] = []
    /// Whether the last line ended with a carriage return, so that a line feed belongs to its end.
    private var skipsLineFeed = false
    private var current = Fields()
    /// The last value of an `id` field, which takes effect at the end of its event.
    private var id: String

    /// The fields of the event that is being read.
    private struct Fields {
        var data: [UInt8] = []
        var hasData = false
        var hasID = false
        var type = ""
        var retry: Duration?
        /// The number of bytes in its lines.
        var length = 0

        /// Starts the next event; keeps the memory.
        mutating func reset() {
            if hasData { data.removeAll(keepingCapacity: data.capacity < 1 << 16) }
            if !type.isEmpty { type = "" }
            (hasData, hasID, retry, length) = (false, false, nil, 0)
        }
    }

    init(limit: Int, after lastEventID: String = "") {
        self.limit = limit
        self.lastEventID = lastEventID
        id = lastEventID
    }

    /// Reads bytes up to the end of an event.
    ///
    /// - Parameters:
    ///   - bytes: A piece of the body.
    ///   - position: The index of the first byte that has not been read; moved behind those that were.
    /// - Returns: The event; `nil` if the piece ends before the event does.
    /// - Throws: ``EventProblem`` if a line or the event is too long.
    mutating func next(
        in bytes: UnsafeRawBufferPointer,
        from position: inout Int
    ) throws(EventProblem) -> ServerSentEvent? {
        if skipsLineFeed, position < bytes.count {
            skipsLineFeed = false
            if bytes[position] == Byte.lineFeed { position += 1 }
        }
        while position < bytes.count {
            guard let end = Byte.lineEnd(in: bytes, from: position) else {
                try hold(UnsafeRawBufferPointer(rebasing: bytes[position...]))
                position = bytes.count
                return nil
            }
            let piece = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
            position = end + 1
            if bytes[end] == Byte.carriageReturn {
                if position == bytes.count {
                    skipsLineFeed = true
                } else if bytes[position] == Byte.lineFeed {
                    position += 1
                }
            }
            // A line returns whether the event ends: moving an optional event for each line would take longer than
            // reading the line.
            if try partial.isEmpty ? read(piece) : complete(piece), endEvent() {
                defer { current.reset() }
                return event()
            }
        }
        return nil
    }

    /// Keeps the beginning of a line until the other bytes arrive.
    private mutating func hold(_ piece: UnsafeRawBufferPointer) throws(EventProblem) {
        if partial.count + piece.count > limit { throw excess("the line") }
        partial.append(contentsOf: piece)
    }

    /// Reads a line whose last bytes have arrived; returns whether it is empty.
    private mutating func complete(_ piece: UnsafeRawBufferPointer) throws(EventProblem) -> Bool {
        try hold(piece)
        var held = partial
        partial = []
        let isEmpty = held.withUnsafeBytes { bytes in
            Result<Bool, EventProblem> { () throws(EventProblem) in try read(bytes) }
        }
        // The next line may be split as well.
        held.removeAll(keepingCapacity: held.capacity < 1 << 16)
        partial = held
        return try isEmpty.get()
    }

    /// Reads a line; returns whether it is empty.
    private mutating func read(_ whole: UnsafeRawBufferPointer) throws(EventProblem) -> Bool {
        if whole.count > limit { throw excess("the line") }
        var text = whole
        if line == 0, text.starts(with: Byte.byteOrderMark) { text = UnsafeRawBufferPointer(rebasing: text[3...]) }
        if !text.isEmpty, text[0] != Byte.colon {
            current.length += text.count
            if current.length > limit { throw excess("the event") }
            take(text)
        }
        line += 1
        return text.isEmpty
    }

    private func excess(_ subject: String) -> EventProblem {
        let problem = CodingProblem("\(subject) is longer than the allowed \(limit) bytes")
        return EventProblem(event: count + 1, line: line + 1, cause: problem)
    }

    /// Takes a field; the names that the standard doesn't define are ignored.
    private mutating func take(_ field: UnsafeRawBufferPointer) {
        switch field[0] {
        case UInt8(ascii: "d"):
            guard let value = Byte.value(of: "data", in: field) else { return }
            current.data.append(contentsOf: value)
            current.data.append(Byte.lineFeed)
            current.hasData = true
        case UInt8(ascii: "e"):
            guard let value = Byte.value(of: "event", in: field) else { return }
            current.type = String(decoding: value, as: UTF8.self)
        case UInt8(ascii: "i"):
            guard let value = Byte.value(of: "id", in: field), !value.contains(0) else { return }
            id = String(decoding: value, as: UTF8.self)
            current.hasID = true
        case UInt8(ascii: "r"):
            guard let time = Byte.value(of: "retry", in: field).flatMap(Byte.milliseconds) else { return }
            (retry, current.retry) = (time, time)
        default: return
        }
    }

    /// Ends the event at an empty line; returns whether it has data, and otherwise starts the next one.
    private mutating func endEvent() -> Bool {
        if current.hasID { lastEventID = id }
        guard current.hasData else {
            current.reset()
            return false
        }
        count += 1
        return true
    }

    private func event() -> ServerSentEvent {
        // Without the line feed of the last field.
        let data = current.data.withUnsafeBytes { bytes in
            String(decoding: UnsafeRawBufferPointer(rebasing: bytes.dropLast()), as: UTF8.self)
        }
        return ServerSentEvent(
            data: data,
            type: current.type.isEmpty ? "message" : current.type,
            id: id.isEmpty ? nil : id,
            retry: current.retry
        )
    }
}

/// The bytes of event streams.
private enum Byte {
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let colon = UInt8(ascii: ":")
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The index of the first carriage return or line feed; `nil` without one.
    ///
    /// Eight bytes at a time, since each byte of a stream is searched here.
    static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        var index = start
        while index + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let feed = word ^ (ones &* UInt64(lineFeed))
            let carriage = word ^ (ones &* UInt64(carriageReturn))
            // The lowest mark is always that of a byte that became zero.
            let marks = ((feed &- ones) & ~feed | (carriage &- ones) & ~carriage) & tops
            if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < bytes.count, bytes[index] != lineFeed, bytes[index] != carriageReturn { index += 1 }
        return index < bytes.count ? index : nil
    }

    /// The value of a field, without one space after the colon; `nil` if the field has another name.
    ///
    /// A line without a colon is a field with an empty value.
    static func value(of name: StaticString, in field: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let length = name.utf8CodeUnitCount
        guard field.count >= length else { return nil }
        for index in 0..<length where field[index] != name.utf8Start[index] { return nil }
        guard field.count > length else { return UnsafeRawBufferPointer(rebasing: field[length...]) }
        guard field[length] == colon else { return nil }
        let hasSpace = field.count > length + 1 && field[length + 1] == UInt8(ascii: " ")
        return UnsafeRawBufferPointer(rebasing: field[(length + (hasSpace ? 2 : 1))...])
    }

    /// The time that ASCII digits express; a time that is too long becomes the longest one, `nil` for other text.
    static func milliseconds(_ digits: UnsafeRawBufferPointer) -> Duration? {
        guard !digits.isEmpty else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard 0x30...0x39 ~= digit else { return nil }
            let (tens, isTooLong) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tens.addingReportingOverflow(Int64(digit - 0x30))
            number = isTooLong || overflows ? .max : sum
            if number == .max { break }
        }
        guard number == .max else { return .milliseconds(number) }
        return digits.allSatisfy { 0x30...0x39 ~= $0 } ? .milliseconds(Int64.max) : nil
    }
}
