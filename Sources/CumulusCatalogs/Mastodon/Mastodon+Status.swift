// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// What somebody wrote.
    public struct Status: Codable, Sendable, Hashable {
        /// Its identifier on this instance.
        public var id: String
        /// The text, as HTML.
        public var content: String
        /// When it was written (ISO 8601).
        public var createdAt: String?
        /// Its web page.
        public var url: String?
        /// Who wrote it.
        public var account: Account?
        /// Who may see it, as the instance calls it; see ``Mastodon/Visibility``.
        public var visibility: String?
        /// The warning shown until somebody opens it.
        public var spoilerText: String?
        /// The status that it replies to.
        public var inReplyToID: String?
        /// What is attached.
        public var mediaAttachments: [Media]?
        /// Whether you like it; only if you are signed in.
        public var isFavourited: Bool?
        /// Whether you boosted it.
        public var isBoosted: Bool?
        /// How many like it.
        public var favouritesCount: Int64?
        /// How many boosted it.
        public var boostsCount: Int64?

        private enum CodingKeys: String, CodingKey {
            case id, content, url, account, visibility
            case createdAt = "created_at"
            case spoilerText = "spoiler_text"
            case inReplyToID = "in_reply_to_id"
            case mediaAttachments = "media_attachments"
            case isFavourited = "favourited"
            case isBoosted = "reblogged"
            case favouritesCount = "favourites_count"
            case boostsCount = "reblogs_count"
        }
    }
}
