// SPDX-License-Identifier: Apache-2.0

/// Parses UTF-8 bytes into a `JSON` in one pass, without recursion.
///
/// Finished values are on one stack; a container that ends takes its values off and becomes one value. The keys of an
/// object are followed in `JSONKeyTree`, which usually predicts the next key, so that it is only compared.
struct JSONParser: ~Copyable {
    /// A container that is still open.
    struct Frame {
        /// Where its values start on the stack.
        var start: Int
        /// The last key's node in the key tree; for arrays `Frame.array`.
        var node: Int

        static let array = -1
    }

    let bytes: UnsafeRawBufferPointer
    let start: UnsafePointer<UInt8>
    let end: UnsafePointer<UInt8>
    var cursor: UnsafePointer<UInt8>
    private let maximumDepth: Int

    private var values = JSONStack<JSON>(capacity: 256)
    /// The enclosing containers.
    private var frames = JSONStack<Frame>(capacity: 32)
    private var current = Frame(start: 0, node: Frame.array)
    private var depth = 0
    private var keys: JSONKeyTree
    /// Strings with escapes are assembled here.
    var scratch = JSONStack<UInt8>()

    /// Starts at the first byte; nil if there are no bytes.
    static func make(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int) -> JSONParser? {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return nil }
        return JSONParser(bytes, base: base.assumingMemoryBound(to: UInt8.self), maximumDepth: maximumDepth)
    }

    private init(_ bytes: UnsafeRawBufferPointer, base: UnsafePointer<UInt8>, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        start = base
        end = base + bytes.count
        cursor = base
        keys = JSONKeyTree(source: base)
    }

    /// Reads the whole text as one value.
    mutating func document() throws(JSON.ParsingError) -> JSON {
        if bytes.count >= 3, start[0] == 0xEF, start[1] == 0xBB, start[2] == 0xBF { cursor += 3 }
        skipSpace()
        repeat {
            while try !value() {}
        } while try !advance()
        skipSpace()
        guard cursor == end else { throw error(.trailingBytes) }
        return values.popLast() ?? .null
    }

    /// Reads one value, or opens a container; returns whether a value is complete.
    @inline(__always)
    private mutating func value() throws(JSON.ParsingError) -> Bool {
        guard cursor < end else { throw error(.unexpectedEnd) }
        switch cursor.pointee {
        case UInt8(ascii: "\""):
            cursor += 1
            values.append(.string(try string()))
        case UInt8(ascii: "{"):
            return try open(Frame(start: values.count, node: JSONKeyTree.root), until: UInt8(ascii: "}"))
        case UInt8(ascii: "["):
            return try open(Frame(start: values.count, node: Frame.array), until: UInt8(ascii: "]"))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            values.append(.number(try number()))
        case UInt8(ascii: "t"):
            try word("true")
            values.append(.bool(true))
        case UInt8(ascii: "f"):
            try word("false")
            values.append(.bool(false))
        case UInt8(ascii: "n"):
            try word("null")
            values.append(.null)
        default:
            throw error(.unexpectedByte)
        }
        return true
    }

    /// Moves past the separator after a value, closing containers that end; returns whether the outermost value is
    /// complete.
    @inline(__always)
    private mutating func advance() throws(JSON.ParsingError) -> Bool {
        while depth > 0 {
            skipSpace()
            guard cursor < end else { throw error(.unexpectedEnd) }
            let byte = cursor.pointee
            let isArray = current.node == Frame.array
            if byte == UInt8(ascii: ",") {
                cursor += 1
                skipSpace()
                if !isArray { try key() }
                return false
            }
            guard byte == (isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")) else { throw error(.unexpectedByte) }
            cursor += 1
            close()
        }
        return true
    }

    /// Opens a container; returns whether it was empty and so is complete.
    @inline(__always)
    private mutating func open(_ frame: Frame, until closing: UInt8) throws(JSON.ParsingError) -> Bool {
        guard depth < maximumDepth else { throw error(.tooDeep) }
        cursor += 1
        skipSpace()
        if cursor < end, cursor.pointee == closing {
            cursor += 1
            values.append(frame.node == Frame.array ? .array([]) : .object(JSON.Object()))
            return true
        }
        depth += 1
        frames.append(current)
        current = frame
        if frame.node != Frame.array { try key() }
        return false
    }

    /// Creates one value from the current container's values.
    @inline(__always)
    private mutating func close() {
        let contents = values.take(from: current.start)
        if current.node == Frame.array {
            values.append(.array(contents))
        } else {
            values.append(.object(keys.object(at: current.node, of: contents)))
        }
        depth -= 1
        current = frames.popLast() ?? current
    }

    /// Reads a key and the colon after it.
    @inline(__always)
    private mutating func key() throws(JSON.ParsingError) {
        guard cursor < end else { throw error(.unexpectedEnd) }
        guard cursor.pointee == UInt8(ascii: "\"") else { throw error(.unexpectedByte) }
        cursor += 1
        if let (node, length) = keys.child(of: current.node, matching: cursor, before: end) {
            current.node = node
            cursor += length + 1
        } else {
            try newKey()
        }
        skipSpace()
        guard cursor < end else { throw error(.unexpectedEnd) }
        guard cursor.pointee == UInt8(ascii: ":") else { throw error(.unexpectedByte) }
        cursor += 1
        skipSpace()
    }

    @inline(never)
    private mutating func newKey() throws(JSON.ParsingError) {
        let first = cursor
        let text = try string()
        current.node = keys.addChild(
            of: current.node,
            key: text,
            offset: first - start,
            length: cursor - first - 1
        )
    }

    @inline(__always)
    private mutating func word(_ word: StaticString) throws(JSON.ParsingError) {
        // The words have distinct last four letters: "true", "alse", "null".
        let ending = word.utf8CodeUnitCount - 4
        if end - cursor >= word.utf8CodeUnitCount,
            UnsafeRawPointer(cursor + ending).loadUnaligned(as: UInt32.self)
                == UnsafeRawPointer(word.utf8Start + ending).loadUnaligned(as: UInt32.self)
        {
            cursor += word.utf8CodeUnitCount
            return
        }
        try misspelt(word)
    }

    /// Finds the differing byte.
    @inline(never)
    private mutating func misspelt(_ word: StaticString) throws(JSON.ParsingError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard cursor < end else { throw error(.unexpectedEnd) }
            guard cursor.pointee == word.utf8Start[index] else { throw error(.unexpectedByte) }
            cursor += 1
        }
    }

    /// Skips white space: usually nothing, or a line end with a run of spaces.
    @inline(__always)
    mutating func skipSpace() {
        guard cursor < end, cursor.pointee <= 0x20 else { return }
        skipSpaceRun()
    }

    private mutating func skipSpaceRun() {
        let blanks: UInt64 = 0x2020_2020_2020_2020
        while cursor < end {
            let byte = cursor.pointee
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            cursor += 1
            while end - cursor >= 8, UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self) == blanks { cursor += 8 }
        }
    }

    /// An error at the cursor, or at another position.
    @inline(never)
    func error(_ reason: JSON.ParsingError.Reason, at place: UnsafePointer<UInt8>? = nil) -> JSON.ParsingError {
        JSON.ParsingError(reason, at: (place ?? cursor) - start, in: bytes)
    }
}
