// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// A label of issues.
    public struct Label: Codable, Sendable, Hashable {
        /// The label's name.
        public var name: String
        /// The colour, as six hexadecimal digits.
        public var color: String?
    }
}
