// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// A user with an account.
    public struct Account: Codable, Sendable, Hashable {
        /// The account's identifier on this instance.
        public var id: String
        /// The name: `ada`.
        public var username: String
        /// The name, with the instance if it is another one: `ada@mastodon.example`.
        public var acct: String?
        /// The person's name.
        public var displayName: String?
        /// The profile text, as HTML.
        public var note: String?
        /// The profile's web page.
        public var url: String?
        /// The URL of the picture.
        public var avatar: String?
        /// The number of followers.
        public var followersCount: Int64?
        /// The number of accounts that it follows.
        public var followingCount: Int64?
        /// The number of statuses.
        public var statusesCount: Int64?

        private enum CodingKeys: String, CodingKey {
            case id, username, acct, note, url, avatar
            case displayName = "display_name"
            case followersCount = "followers_count"
            case followingCount = "following_count"
            case statusesCount = "statuses_count"
        }
    }
}

extension Mastodon {
    /// The relationship between you and another account.
    public struct Relationship: Codable, Sendable, Hashable {
        /// The account's identifier.
        public var id: String
        /// Whether you follow them.
        public var isFollowing: Bool?
        /// Whether they follow you.
        public var isFollowedBy: Bool?
        /// Whether your request to follow them is pending.
        public var isRequested: Bool?
        /// Whether you block them.
        public var isBlocking: Bool?

        private enum CodingKeys: String, CodingKey {
            case id
            case isFollowing = "following"
            case isFollowedBy = "followed_by"
            case isRequested = "requested"
            case isBlocking = "blocking"
        }
    }
}
