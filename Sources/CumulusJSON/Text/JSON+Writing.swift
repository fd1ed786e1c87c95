// SPDX-License-Identifier: Apache-2.0

// Writing JSON text.

extension JSON {
    /// Options for writing JSON text.
    public struct WritingOptions: OptionSet, Sendable, Hashable {
        /// The bits of the set.
        public let rawValue: Int

        /// Creates a set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// An option that writes one member or element per line, indented by two spaces; without this option, no white
        /// space is written.
        public static let prettyPrinted = WritingOptions(rawValue: 1)

        /// An option that writes members in the order of their keys' UTF-8 bytes instead of in the object's order.
        public static let sortedKeys = WritingOptions(rawValue: 2)
    }

    /// Writes the value as UTF-8.
    ///
    /// Only the characters that RFC 8259, section 7 requires are escaped: quotes, backslashes and control characters.
    public func encoded(_ options: WritingOptions = []) -> [UInt8] {
        var writer = JSONWriter(options)
        writer.write(self)
        return writer.take()
    }
}
