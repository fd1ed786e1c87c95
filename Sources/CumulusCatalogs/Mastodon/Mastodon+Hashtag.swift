// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// A hashtag.
    public struct Hashtag: Codable, Sendable, Hashable {
        /// The word, without its `#`.
        public var name: String
        /// Its web page.
        public var url: String?
    }
}
