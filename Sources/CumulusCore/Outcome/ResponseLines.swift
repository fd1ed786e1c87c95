// SPDX-License-Identifier: Apache-2.0

/// The lines of a body, as they arrive: ``ResponseStream/lines``.
///
/// A line ends at a line feed, or at a carriage return and a line feed. The text after the last line end is a line if
/// it is not empty. Lines are UTF-8. Another loop continues after the last line of the previous one: see
/// ``ResponseStream``.
public struct ResponseLines: Sendable, AsyncSequence {
    /// A line, without its end.
    public typealias Element = String

    let stream: ResponseStream
    let limit: Int

    /// Makes a reader of the lines.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: LineReader(stream, limit: limit)) }

    /// Reads the lines.
    public struct Iterator: AsyncIteratorProtocol {
        var reader: LineReader

        /// The next line; `nil` after the last.
        ///
        /// - Throws: ``CumulusError``: ``CumulusError/Code/decoding`` for a line that is too long or not UTF-8, which
        ///   ends the exchange. `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> String? {
            guard let line = try await reader.next() else { return nil }
            return try reader.checked {
                guard let text = line.withUnsafeBytes({ Charset.utf8Text($0) }) else {
                    throw LineProblem(line: reader.line, cause: CodingProblem("the text is not valid UTF-8"))
                }
                return text
            }
        }
    }
}

/// The values of newline-delimited JSON, as they arrive: ``ResponseStream/jsonLines(as:limit:using:)``.
///
/// Another loop continues after the last line of the previous one.
public struct ResponseJSONLines<Value: Decodable & Sendable>: Sendable, AsyncSequence {
    /// A line's value.
    public typealias Element = Value

    let stream: ResponseStream
    let limit: Int
    let coder: JSONCoder

    /// Makes a reader of the values.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: LineReader(stream, limit: limit), coder: coder)
    }

    /// Reads the values.
    public struct Iterator: AsyncIteratorProtocol {
        var reader: LineReader
        let coder: JSONCoder

        /// The next value, skipping blank lines; `nil` after the last.
        ///
        /// - Throws: ``CumulusError``: ``CumulusError/Code/decoding`` with the line's number for a line that is too
        ///   long or not such a value, which ends the exchange. `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> Value? {
            while let line = try await reader.next() {
                let isBlank = line.withUnsafeBytes { JSONLine.content($0) == nil }
                if isBlank { continue }
                return try reader.checked {
                    do {
                        return try coder.decode(Value.self, from: ByteChunk(line), of: nil)
                    } catch {
                        let chunk = ByteChunk(line)
                        let problem = DecodingProblem(error, type: Value.self, bytes: chunk, mediaType: .jsonLines)
                        throw LineProblem(line: reader.line, cause: problem)
                    }
                }
            }
            return nil
        }
    }
}

extension ResponseStream {
    /// The body's lines as they arrive, each at most 1 MiB long.
    public var lines: ResponseLines { lines() }

    /// The body's lines as they arrive.
    ///
    /// - Parameter limit: The maximum length of a line in bytes; a longer one throws ``CumulusError/Code/decoding``.
    /// - Returns: The lines. Each line is read once, by any loop.
    public func lines(limit: Int = 1 << 20) -> ResponseLines { ResponseLines(stream: self, limit: limit) }

    /// The values of a body of newline-delimited JSON, as they arrive.
    ///
    /// - Parameters:
    ///   - type: The type of each line's value.
    ///   - limit: The maximum length of a line in bytes.
    ///   - coder: The coder for the values; `nil` uses that of the setting ``Resource/Settings/coders``.
    /// - Returns: The values. Each value is read once, by any loop.
    public func jsonLines<Value: Decodable & Sendable>(
        as type: Value.Type,
        limit: Int = 1 << 20,
        using coder: JSONCoder? = nil
    ) -> ResponseJSONLines<Value> {
        ResponseJSONLines(stream: self, limit: limit, coder: coder ?? coders.jsonLines)
    }
}
