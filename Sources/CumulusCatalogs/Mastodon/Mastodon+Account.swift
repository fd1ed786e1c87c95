// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// A user with an account.
    public struct Account: Codable, Sendable, Hashable {
        /// The account's identifier on this instance.
        public var id: String
        /// The account's name: `ada`.
        public var username: String
        /// The account's name, with its instance if it is on a different one: `ada@mastodon.example`.
        public var acct: String?
        /// The user's display name.
        public var displayName: String?
        /// The profile text, as HTML.
        public var note: String?
        /// The URL of the profile's web page.
        public var url: String?
        /// The URL of the picture.
        public var avatar: String?
        /// The number of followers.
        public var followersCount: Int64?
        /// The number of accounts that this one follows.
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
        /// The other account's identifier.
        public var id: String
        /// Whether you follow the other account.
        public var isFollowing: Bool?
        /// Whether the other account follows you.
        public var isFollowedBy: Bool?
        /// Whether your request to follow the other account is pending.
        public var isRequested: Bool?
        /// Whether you block the other account.
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
