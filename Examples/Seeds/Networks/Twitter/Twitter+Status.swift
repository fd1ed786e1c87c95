// SPDX-License-Identifier: Apache-2.0

extension Twitter {
    /// A status: a post by a user.
    public struct Status: Codable, Sendable, Hashable {
        /// The status's number.
        public var id: Int64
        /// The text.
        public var text: String
        /// When it was written, in Twitter's format: `Wed Aug 27 13:08:45 +0000 2008`.
        public var createdAt: String?
        /// The program that it was written with, as HTML.
        public var source: String?
        /// The status that it replies to.
        public var inReplyToStatusID: Int64?
        /// Whether you like it.
        public var isFavorited: Bool?
        /// Whether the text was cut.
        public var isTruncated: Bool?
        /// The author.
        public var user: User?

        private enum CodingKeys: String, CodingKey {
            case id, text, source, user
            case createdAt = "created_at"
            case inReplyToStatusID = "in_reply_to_status_id"
            case isFavorited = "favorited"
            case isTruncated = "truncated"
        }
    }
}
