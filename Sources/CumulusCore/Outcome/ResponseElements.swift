// SPDX-License-Identifier: Apache-2.0

/// The lines or JSON values of a body, as they arrive.
///
///     for try await line in stream.lines { print(line) }
///     for try await price in stream.jsonLines(as: Price.self) { print(price.value) }
///
/// While no code reads them, the server has to wait. A later loop continues after the last element that the previous
/// one read; see ``ResponseStream``.
public struct ResponseElements<Element: Sendable>: Sendable, AsyncSequence {
    private let reader: ElementReader
    private let make: @Sendable (ElementSplitter.Element) throws(LineProblem) -> Element?
    private var skip: (@Sendable (LineProblem) -> Void)?

    init(_ reader: ElementReader, _ make: @escaping @Sendable (ElementSplitter.Element) throws(LineProblem) -> Element?)
    {
        self.reader = reader
        self.make = make
    }

    /// The same elements without those that can't be decoded, which would otherwise end the loop with an error.
    ///
    /// An element that is too long remains an error.
    public var skippingInvalid: ResponseElements { skippingInvalid { _ in } }

    /// Returns the elements without those that can't be decoded, which are reported instead.
    ///
    ///     let prices = stream.jsonLines(as: Price.self).skippingInvalid { print("line \($0.line) is skipped: \($0)") }
    ///
    /// - Parameter report: Receives the problem of each element that is skipped, with its line, number and excerpt, on
    ///   the task that reads.
    /// - Returns: The elements; one that is too long remains an error.
    public func skippingInvalid(_ report: @escaping @Sendable (LineProblem) -> Void) -> ResponseElements {
        var elements = self
        elements.skip = report
        return elements
    }

    /// Creates a reader of the elements.
    public func makeAsyncIterator() -> Iterator { Iterator(elements: self) }

    /// Reads the elements.
    ///
    /// An error ends the exchange, and each later reader of the stream receives the same error.
    public struct Iterator: AsyncIteratorProtocol {
        let elements: ResponseElements

        /// Returns the next element; `nil` after the last.
        ///
        /// - Throws: ``CumulusError``: ``CumulusError/Code/decoding``, whose cause is a ``LineProblem``, for an element
        ///   that is too long or can't be decoded, which ends the exchange. `CancellationError` when the task is
        ///   cancelled.
        public mutating func next() async throws -> Element? { try await elements.next() }
    }

    private func next() async throws -> Element? {
        while let found = try await reader.next() {
            do throws(LineProblem) {
                if let element = try make(found) { return element }
            } catch {
                if let skip {
                    skip(error)
                    continue
                }
                return try reader.stream.checked { throw error }
            }
        }
        return nil
    }
}

extension ResponseStream {
    /// The body's lines as they arrive, each at most 1 MiB long.
    public var lines: ResponseElements<String> { lines() }

    /// Returns the body's lines as they arrive, in UTF-8.
    ///
    /// A line ends at a line feed, or at a carriage return and a line feed. The text after the last line end is a line
    /// if it is not empty.
    ///
    /// - Parameter limit: The maximum length of a line in bytes; a longer one throws ``CumulusError/Code/decoding``.
    /// - Returns: The lines. Each line is read once, by any loop.
    public func lines(limit: Int = 1 << 20) -> ResponseElements<String> {
        ResponseElements(ElementReader(stream: self, form: .lines, limit: limit)) { line throws(LineProblem) in
            try line.text()
        }
    }

    /// Returns the values of a body of newline-delimited JSON, as they arrive; blank lines are skipped.
    ///
    /// - Parameters:
    ///   - type: The type of each line's value.
    ///   - limit: The maximum length of a line in bytes.
    ///   - coder: The coder for the values; `nil` uses the one in the setting ``Resource/Settings/coders``.
    /// - Returns: The values. Each value is read once, by any loop.
    public func jsonLines<Value: Decodable & Sendable>(
        as type: Value.Type,
        limit: Int = 1 << 20,
        using coder: JSONCoder? = nil
    ) -> ResponseElements<Value> { values(as: type, .lines, limit, coder ?? coders.jsonLines) }

    /// Returns the values of a JSON text sequence (RFC 7464, `application/json-seq`), as they arrive.
    ///
    /// Each value follows a record separator. A value that is cut off, by a separator or by the body's end, is an
    /// error, unless you read ``ResponseElements/skippingInvalid``.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - limit: The maximum length of a value in bytes.
    ///   - coder: The coder for the values; `nil` uses the one in the setting ``Resource/Settings/coders``.
    /// - Returns: The values. Each value is read once, by any loop.
    public func jsonSequence<Value: Decodable & Sendable>(
        as type: Value.Type,
        limit: Int = 1 << 20,
        using coder: JSONCoder? = nil
    ) -> ResponseElements<Value> { values(as: type, .jsonSequence, limit, coder ?? coders.json) }

    /// Returns the JSON values of a body that contains several in a row, as they arrive: `{"n":1}{"n":2}`.
    ///
    /// Values may be separated by white space, and may extend over several lines.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - limit: The maximum length of a value in bytes.
    ///   - coder: The coder for the values; `nil` uses the one in the setting ``Resource/Settings/coders``.
    /// - Returns: The values. Each value is read once, by any loop.
    public func concatenatedJSON<Value: Decodable & Sendable>(
        as type: Value.Type,
        limit: Int = 1 << 20,
        using coder: JSONCoder? = nil
    ) -> ResponseElements<Value> { values(as: type, .concatenatedJSON, limit, coder ?? coders.json) }

    private func values<Value: Decodable & Sendable>(
        as type: Value.Type,
        _ form: ElementSplitter.Form,
        _ limit: Int,
        _ coder: JSONCoder
    ) -> ResponseElements<Value> {
        ResponseElements(ElementReader(stream: self, form: form, limit: limit)) { element throws(LineProblem) in
            try element.decode(as: type, of: form, using: coder)
        }
    }

    /// Adds the stage and request to an error of the closure, and ends the exchange.
    func checked<Result>(_ work: () throws -> Result) throws -> Result {
        do {
            return try Stage.run(.decoding, .decoding, request: request, work)
        } catch {
            cancel()
            ahead.fail(error)
            throw error
        }
    }
}
