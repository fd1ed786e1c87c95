// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// A picture, film or sound that is, or will be, attached to a status.
    public struct Media: Codable, Sendable, Hashable {
        /// What it is called: for ``Mastodon/createStatus(_:inReplyTo:media:visibility:spoiler:idempotencyKey:)``.
        public var id: String
        /// `image`, `video`, `gifv`, `audio` or `unknown`.
        public var type: String?
        /// Where it is; `nil` while the instance is still at work on it.
        public var url: String?
        /// Where a small one is.
        public var previewURL: String?
        /// What it shows, in words.
        public var description: String?

        private enum CodingKeys: String, CodingKey {
            case id, type, url, description
            case previewURL = "preview_url"
        }
    }
}
