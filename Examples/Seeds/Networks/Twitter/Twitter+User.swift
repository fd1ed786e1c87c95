// SPDX-License-Identifier: Apache-2.0

extension Twitter {
    /// A user with an account.
    public struct User: Codable, Sendable, Hashable {
        /// The account's number.
        public var id: Int64
        /// The person's name.
        public var name: String?
        /// The account's name.
        public var screenName: String?
        /// The location, in the user's words.
        public var location: String?
        /// The profile text.
        public var description: String?
        /// Their website.
        public var url: String?
        /// The URL of the picture.
        public var profileImageURL: String?
        /// Whether only followers can see the user's statuses.
        public var isProtected: Bool?
        /// The number of followers.
        public var followersCount: Int64?
        /// The number of users that they follow.
        public var friendsCount: Int64?
        /// The number of statuses.
        public var statusesCount: Int64?

        private enum CodingKeys: String, CodingKey {
            case id, name, location, description, url
            case screenName = "screen_name"
            case profileImageURL = "profile_image_url"
            case isProtected = "protected"
            case followersCount = "followers_count"
            case friendsCount = "friends_count"
            case statusesCount = "statuses_count"
        }
    }
}
