// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// The results of a search.
    public struct SearchResults: Codable, Sendable, Hashable {
        /// The matching accounts.
        public var accounts: [Account]
        /// The matching statuses.
        public var statuses: [Status]
        /// The matching hashtags.
        public var hashtags: [Hashtag]
    }
}

extension Mastodon {
    /// A hashtag.
    public struct Hashtag: Codable, Sendable, Hashable {
        /// The hashtag's word, without its `#`.
        public var name: String
        /// The URL of the hashtag's web page.
        public var url: String?
    }
}
