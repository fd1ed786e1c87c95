// SPDX-License-Identifier: Apache-2.0

extension JSON {
    /// Encodes your own value as compact JSON text: the bytes or the error of `JSON(encoding:strategies:).encoded()`.
    ///
    /// Most types are written as they encode themselves, without a `JSON` in between. If one does something that can't be
    /// written in sequence, such as encoding a key twice, or throws an error, it is encoded again into a `JSON`.
    ///
    /// - Parameters:
    ///   - value: The value to encode.
    ///   - strategies: How dates, keys and similar values are written.
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
    /// Whether a closure gets encoders and coding paths, which the tree always has.
    var haveClosures: Bool {
        if case .custom = dates { return true }
        if case .custom = data { return true }
        if case .custom = keys { return true }
        return false
    }
}
