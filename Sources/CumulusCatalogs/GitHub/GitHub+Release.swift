// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// A release.
    public struct Release: Codable, Sendable, Hashable {
        /// The release's number.
        public var id: Int64
        /// The release's tag.
        public var tag: String
        /// The release's name.
        public var name: String?
        /// The release notes.
        public var body: String?
        /// Whether the release is a draft.
        public var isDraft: Bool?
        /// Whether the release is a prerelease.
        public var isPrerelease: Bool?
        /// The date when the release was published (ISO 8601).
        public var publishedAt: String?
        /// The release's files.
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

extension GitHub {
    /// A file of a release.
    public struct Asset: Codable, Sendable, Hashable {
        /// The file's number.
        public var id: Int64
        /// The file's name.
        public var name: String
        /// The file's media type.
        public var contentType: String?
        /// The file's size in bytes.
        public var size: Int64?
        /// The number of downloads.
        public var downloads: Int64?
        /// The URL for downloads with a browser.
        public var url: String?

        private enum CodingKeys: String, CodingKey {
            case id, name, size
            case contentType = "content_type"
            case downloads = "download_count"
            case url = "browser_download_url"
        }
    }
}
