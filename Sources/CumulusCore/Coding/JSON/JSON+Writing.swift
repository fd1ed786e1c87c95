// SPDX-License-Identifier: Apache-2.0

// Writing JSON text.

extension JSON {
    /// How JSON text is laid out.
    public struct WritingOptions: OptionSet, Sendable, Hashable {
        /// The bits of the set.
        public let rawValue: Int

        /// Makes a set of its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// One member or element a line, indented by two spaces; without it, there is no white space at all.
        public static let prettyPrinted = WritingOptions(rawValue: 1)

        /// Members in the order of their keys' UTF-8 bytes instead of their own order.
        public static let sortedKeys = WritingOptions(rawValue: 2)
    }

    /// Writes the value as UTF-8.
    ///
    /// Only what RFC 8259, section 7 requires is escaped: quotes, backslashes and control characters.
    public func encoded(_ options: WritingOptions = []) -> [UInt8] {
        var writer = JSONWriter(options)
        writer.write(self)
        return writer.take()
    }
}
