// SPDX-License-Identifier: Apache-2.0

/// The lines of a body, as they arrive: ``ResponseStream/lines``.
///
/// A line ends at a line feed, or a carriage return and a line feed; what follows the last one is a line if it is not
/// empty. Lines are UTF-8.
public struct ResponseLines: Sendable, AsyncSequence {
    /// A line, without its end.
    public typealias Element = String

    let stream: ResponseStream
    let limit: Int

    /// A reader of the lines.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: LineReader(stream, limit: limit)) }

    /// Reads the lines.
    public struct Iterator: AsyncIteratorProtocol {
        var reader: LineReader

        /// The next line; `nil` after the last.
        ///
        /// - Throws: ``CumulusError``: ``CumulusError/Code/decoding`` for a line that is too long or no UTF-8, which ends
        ///   the exchange. `CancellationError` when the task is cancelled.
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
public struct ResponseJSONLines<Value: Decodable & Sendable>: Sendable, AsyncSequence {
    /// A line's value.
    public typealias Element = Value

    let stream: ResponseStream
    let limit: Int
    let coder: JSONCoder

    /// A reader of the values.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: LineReader(stream, limit: limit), coder: coder)
    }

    /// Reads the values.
    public struct Iterator: AsyncIteratorProtocol {
        var reader: LineReader
        let coder: JSONCoder

        /// The next value; blank lines are left out; `nil` after the last.
        ///
        /// - Throws: ``CumulusError``: ``CumulusError/Code/decoding`` with the line's number for one that is too long or no
        ///   such value, which ends the exchange. `CancellationError` when the task is cancelled.
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
    /// The body's lines as they arrive, each of at most 1 MiB.
    public var lines: ResponseLines { lines() }

    /// The body's lines as they arrive.
    ///
    /// - Parameter limit: How many bytes a line may have; a longer one is ``CumulusError/Code/decoding``.
    /// - Returns: The lines, to be read once.
    public func lines(limit: Int = 1 << 20) -> ResponseLines { ResponseLines(stream: self, limit: limit) }

    /// The values of a body of newline-delimited JSON, as they arrive.
    ///
    /// - Parameters:
    ///   - type: What each line is.
    ///   - limit: How many bytes a line may have.
    ///   - coder: How values are read; `nil` takes the coder of the setting ``Settings/coders``.
    /// - Returns: The values, to be read once.
    public func jsonLines<Value: Decodable & Sendable>(
        as type: Value.Type,
        limit: Int = 1 << 20,
        using coder: JSONCoder? = nil
    ) -> ResponseJSONLines<Value> {
        ResponseJSONLines(stream: self, limit: limit, coder: coder ?? coders.json)
    }
}
