// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// A user with an account.
    public struct Account: Codable, Sendable, Hashable {
        /// Its identifier on this instance.
        public var id: String
        /// The name: `ada`.
        public var username: String
        /// The name with its instance, where that is another: `ada@mastodon.example`.
        public var acct: String?
        /// The person's name.
        public var displayName: String?
        /// The profile text, as HTML.
        public var note: String?
        /// Where they can be read.
        public var url: String?
        /// Where their picture is.
        public var avatar: String?
        /// How many follow them.
        public var followersCount: Int64?
        /// How many they follow.
        public var followingCount: Int64?
        /// How much they wrote.
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
