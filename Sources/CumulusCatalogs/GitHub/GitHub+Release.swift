// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// A release.
    public struct Release: Codable, Sendable, Hashable {
        /// Its number.
        public var id: Int64
        /// The tag that it is of.
        public var tag: String
        /// What it is called.
        public var name: String?
        /// What is new.
        public var body: String?
        /// Whether it is a draft.
        public var isDraft: Bool?
        /// Whether it is a prerelease.
        public var isPrerelease: Bool?
        /// When it was published (ISO 8601).
        public var publishedAt: String?
        /// Its files.
        public var assets: [Asset]?

        private enum CodingKeys: String, CodingKey {
            case id, name, body, assets
            case tag = "tag_name"
            case isDraft = "draft"
            case isPrerelease = "prerelease"
            case publishedAt = "published_at"
        }
    }
}
