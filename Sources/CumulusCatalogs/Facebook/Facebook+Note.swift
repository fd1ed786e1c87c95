// SPDX-License-Identifier: Apache-2.0

extension Facebook {
    /// A note: a longer text by a user.
    public struct Note: Codable, Sendable, Hashable {
        /// The note's identifier.
        public var id: String
        /// The title.
        public var title: String?
        /// The text.
        public var content: String?

        private enum CodingKeys: String, CodingKey {
            case title, content
            case id = "note_id"
        }
    }
}
