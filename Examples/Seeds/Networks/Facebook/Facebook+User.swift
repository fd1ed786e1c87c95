// SPDX-License-Identifier: Apache-2.0

extension Facebook {
    /// A user with an account, with the requested fields.
    public struct User: Codable, Sendable, Hashable {
        /// The account's number.
        public var id: Int64
        /// The person's name.
        public var name: String?

        private enum CodingKeys: String, CodingKey {
            case name
            case id = "uid"
        }
    }
}

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
