// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// A file of a release.
    public struct Asset: Codable, Sendable, Hashable {
        /// Its number.
        public var id: Int64
        /// The file's name.
        public var name: String
        /// Its media type.
        public var contentType: String?
        /// How many bytes it has.
        public var size: Int64?
        /// How often it was downloaded.
        public var downloads: Int64?
        /// Where browsers download it.
        public var url: String?

        private enum CodingKeys: String, CodingKey {
            case id, name, size
            case contentType = "content_type"
            case downloads = "download_count"
            case url = "browser_download_url"
        }
    }
}
