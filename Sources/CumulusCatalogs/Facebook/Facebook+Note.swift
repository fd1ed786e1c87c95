// SPDX-License-Identifier: Apache-2.0

extension Facebook {
    /// A longer text by a user.
    public struct Note: Codable, Sendable, Hashable {
        /// What it is called.
        public var id: String
        /// Its title.
        public var title: String?
        /// The text.
        public var content: String?

        private enum CodingKeys: String, CodingKey {
            case title, content
            case id = "note_id"
        }
    }
}
