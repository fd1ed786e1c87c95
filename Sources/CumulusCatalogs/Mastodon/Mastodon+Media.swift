// SPDX-License-Identifier: Apache-2.0

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
