// SPDX-License-Identifier: Apache-2.0

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
