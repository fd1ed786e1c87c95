// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// A status: a post by an account.
    public struct Status: Codable, Sendable, Hashable {
        /// The status's identifier on this instance.
        public var id: String
        /// The text, as HTML.
        public var content: String
        /// The date when it was written (ISO 8601).
        public var createdAt: String?
        /// The web page.
        public var url: String?
        /// The author.
        public var account: Account?
        /// The people who may see it, in the instance's terms; see ``Mastodon/Visibility``.
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

extension Mastodon {
    /// The conversation around a status.
    public struct Context: Codable, Sendable, Hashable {
        /// The statuses that it replies to, the first one first.
        public var ancestors: [Status]
        /// The replies to it.
        public var descendants: [Status]
    }
}

extension Mastodon {
    /// The people who may see a status.
    public enum Visibility: String, Codable, Sendable, Hashable, CaseIterable {
        /// Everyone, and public timelines show it.
        case `public`
        /// Everyone, but public timelines don't show it.
        case unlisted
        /// Followers.
        case `private`
        /// The accounts that it mentions.
        case direct
    }
}

extension Mastodon {
    /// A picture, film or sound to attach, or already attached, to a status.
    public struct Media: Codable, Sendable, Hashable {
        /// The identifier, for ``Mastodon/createStatus(_:inReplyTo:media:visibility:spoiler:idempotencyKey:)``.
        public var id: String
        /// `image`, `video`, `gifv`, `audio` or `unknown`.
        public var type: String?
        /// The URL; `nil` while the instance is still processing it.
        public var url: String?
        /// The URL of a preview.
        public var previewURL: String?
        /// A description of its content.
        public var description: String?

        private enum CodingKeys: String, CodingKey {
            case id, type, url, description
            case previewURL = "preview_url"
        }
    }
}
