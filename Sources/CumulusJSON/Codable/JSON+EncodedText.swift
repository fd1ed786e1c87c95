// SPDX-License-Identifier: Apache-2.0

extension JSON {
    /// Encodes a value as compact JSON text.
    ///
    /// The bytes, or the error, are those of `JSON(encoding:strategies:).encoded()`. Most types are written directly,
    /// without an intermediate `JSON`. A type that encodes something out of sequence, such as a key twice, or that
    /// throws an error, is encoded again into a `JSON`.
    ///
    /// - Parameters:
    ///   - value: The value to encode.
    ///   - strategies: The strategies for dates, keys and similar values.
    /// - Returns: The text in UTF-8.
    /// - Throws: `EncodingError` with its coding path, or any error of the value's own encoding.
    package static func encodedText<T: Encodable>(
        of value: T,
        strategies: EncodingStrategies = EncodingStrategies()
    ) throws -> [UInt8] {
        if let text = JSONTextSession.text(of: value, strategies) { return text }
        return try JSON(encoding: value, strategies: strategies).encoded()
    }
}

extension JSON.EncodingStrategies {
    /// Whether a strategy is a closure, which receives encoders and coding paths that only the tree has.
    var haveClosures: Bool {
        if case .custom = dates { return true }
        if case .custom = data { return true }
        if case .custom = keys { return true }
        return false
    }
}
