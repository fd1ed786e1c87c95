// SPDX-License-Identifier: Apache-2.0

// Parsing JSON text.

extension JSON {
    /// The default limit for the depth of nested arrays and objects, which is also the maximum.
    public static let defaultMaximumDepth = 512

    /// Creates a JSON value from UTF-8 bytes, without copying them first.
    ///
    /// The parser is strict, as defined by RFC 8259: one value with optional white space, valid UTF-8, no unpaired
    /// escaped surrogates. A byte order mark at the start is ignored (section 8.1). If members have the same key, the
    /// last one is used, at the position of the first.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - maximumDepth: The limit for the depth of nested arrays and objects; more than 512 counts as 512, since
    ///     writing and comparing a value take stack space in proportion to its depth, and a thread may have only 512
    ///     KiB.
    /// - Throws: The reason and the position at which the bytes were refused.
    public init(
        parsing bytes: UnsafeRawBufferPointer,
        maximumDepth: Int = defaultMaximumDepth
    ) throws(ParsingError) {
        guard var parser = JSONParser.make(bytes, maximumDepth: min(maximumDepth, JSON.defaultMaximumDepth)) else {
            throw ParsingError(.unexpectedEnd, at: 0, in: bytes)
        }
        self = try parser.document()
    }

    /// Creates a JSON value from UTF-8 bytes: an array of bytes, `Data`, ...
    ///
    /// - Parameters:
    ///   - bytes: The text; read in place if its storage is contiguous.
    ///   - maximumDepth: The limit for the depth, as for the other initializers.
    /// - Throws: The reason and the position at which the bytes were refused.
    public init(
        parsing bytes: some Collection<UInt8>,
        maximumDepth: Int = defaultMaximumDepth
    ) throws(ParsingError) {
        // Closures can't rethrow a typed error, so this one returns a result.
        let result = bytes.withContiguousStorageIfAvailable { Self.parsed(UnsafeRawBufferPointer($0), maximumDepth) }
        self = try (result ?? Array(bytes).withUnsafeBytes { Self.parsed($0, maximumDepth) }).get()
    }

    /// Creates a JSON value from text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - maximumDepth: The limit for the depth, as for the other initializers.
    /// - Throws: The reason and the position at which the text was refused.
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
