// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// A status: a post by an account.
    public struct Status: Codable, Sendable, Hashable {
        /// The status's identifier on this instance.
        public var id: String
        /// The status's text, as HTML.
        public var content: String
        /// The date when the status was written (ISO 8601).
        public var createdAt: String?
        /// The URL of the status's web page.
        public var url: String?
        /// The author.
        public var account: Account?
        /// The people who may see the status, as the instance's raw value; see ``Mastodon/Visibility``.
        public var visibility: String?
        /// The warning that is shown until a reader opens the status.
        public var spoilerText: String?
        /// The identifier of the status that this one replies to.
        public var inReplyToID: String?
        /// The attached media.
        public var mediaAttachments: [Media]?
        /// Whether you like the status; set only if you are signed in.
        public var isFavourited: Bool?
        /// Whether you boosted the status.
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
        /// The statuses that this status replies to, the oldest first.
        public var ancestors: [Status]
        /// The replies to the status.
        public var descendants: [Status]
    }
}

extension Mastodon {
    /// The people who may see a status.
    public enum Visibility: String, Codable, Sendable, Hashable, CaseIterable {
        /// Everyone; public timelines show the status.
        case `public`
        /// Everyone, but public timelines don't show the status.
        case unlisted
        /// Followers.
        case `private`
        /// The accounts that the status mentions.
        case direct
    }
}

extension Mastodon {
    /// An image, video or audio file that is attached to a status, or to be attached.
    public struct Media: Codable, Sendable, Hashable {
        /// The media file's identifier, for
        /// ``Mastodon/createStatus(_:inReplyTo:media:visibility:spoiler:idempotencyKey:)``.
        public var id: String
        /// `image`, `video`, `gifv`, `audio` or `unknown`.
        public var type: String?
        /// The URL; `nil` while the instance is still processing it.
        public var url: String?
        /// The URL of a preview.
        public var previewURL: String?
        /// The description of the media file's content.
        public var description: String?

        private enum CodingKeys: String, CodingKey {
            case id, type, url, description
            case previewURL = "preview_url"
        }
    }
}
