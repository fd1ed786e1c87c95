// SPDX-License-Identifier: Apache-2.0

// Reading JSON text.

extension JSON {
    /// How deep arrays and objects may be nested unless you say less.
    public static let defaultMaximumDepth = 512

    /// Reads one JSON value from UTF-8 bytes, without copying them first.
    ///
    /// Strict as defined by RFC 8259: one value and white space, nothing else; UTF-8 is checked; unpaired escaped
    /// surrogates are refused. A byte order mark at the start is ignored (section 8.1). Of members with the same key
    /// the last wins, at the place of the first.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - maximumDepth: How deep arrays and objects may be nested; more than 512 counts as 512, since writing and
    ///     comparing a value take stack with its depth, and a thread may have only 512 KiB.
    /// - Throws: Why the bytes were refused, and where.
    public init(
        parsing bytes: UnsafeRawBufferPointer,
        maximumDepth: Int = defaultMaximumDepth
    ) throws(ParsingError) {
        guard var parser = JSONParser.make(bytes, maximumDepth: min(maximumDepth, JSON.defaultMaximumDepth)) else {
            throw ParsingError(.unexpectedEnd, at: 0, in: bytes)
        }
        self = try parser.document()
    }

    /// Reads one JSON value from UTF-8 bytes: an array of bytes, `Data`, ...
    ///
    /// - Parameters:
    ///   - bytes: The text; read in place where it is stored in one piece.
    ///   - maximumDepth: As for the other initializers.
    /// - Throws: Why the bytes were refused, and where.
    public init(
        parsing bytes: some Collection<UInt8>,
        maximumDepth: Int = defaultMaximumDepth
    ) throws(ParsingError) {
        // The closure can't throw a typed error through, so it returns one.
        let result = bytes.withContiguousStorageIfAvailable { Self.parsed(UnsafeRawBufferPointer($0), maximumDepth) }
        self = try (result ?? Array(bytes).withUnsafeBytes { Self.parsed($0, maximumDepth) }).get()
    }

    /// Reads one JSON value from text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - maximumDepth: As for the other initializers.
    /// - Throws: Why the text was refused, and where.
    public init(
        parsing text: some StringProtocol,
        maximumDepth: Int = defaultMaximumDepth
    ) throws(ParsingError) {
        try self.init(parsing: text.utf8, maximumDepth: maximumDepth)
    }

    private static func parsed(_ bytes: UnsafeRawBufferPointer, _ depth: Int) -> Result<JSON, ParsingError> {
        do throws(ParsingError) {
            return .success(try JSON(parsing: bytes, maximumDepth: depth))
        } catch {
            return .failure(error)
        }
    }
}
