// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// A label of issues.
    public struct Label: Codable, Sendable, Hashable {
        /// What it is called.
        public var name: String
        /// Its colour, six hexadecimal digits.
        public var color: String?
    }
}
