// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// A hashtag.
    public struct Hashtag: Codable, Sendable, Hashable {
        /// The word, without its `#`.
        public var name: String
        /// The web page.
        public var url: String?
    }
}
