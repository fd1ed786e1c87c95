// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// A status: a post by an account.
    public struct Status: Codable, Sendable, Hashable {
        /// The status's identifier on this instance.
        public var id: String
        /// The text, as HTML.
        public var content: String
        /// When it was written (ISO 8601).
        public var createdAt: String?
        /// The web page.
        public var url: String?
        /// The author.
        public var account: Account?
        /// Who may see it, in the instance's terms; see ``Mastodon/Visibility``.
        public var visibility: String?
        /// The warning shown until a reader opens it.
        public var spoilerText: String?
        /// The status that it replies to.
        public var inReplyToID: String?
        /// The attached media.
        public var mediaAttachments: [Media]?
        /// Whether you like it; only if you are signed in.
        public var isFavourited: Bool?
        /// Whether you boosted it.
        public var isBoosted: Bool?
        /// The number of likes.
        public var favouritesCount: Int64?
        /// The number of boosts.
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
