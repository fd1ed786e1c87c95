// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// The results of a search.
    public struct SearchResults: Codable, Sendable, Hashable {
        /// Accounts.
        public var accounts: [Account]
        /// Statuses.
        public var statuses: [Status]
        /// Hashtags.
        public var hashtags: [Hashtag]
    }
}

extension Mastodon {
    /// A hashtag.
    public struct Hashtag: Codable, Sendable, Hashable {
        /// The word, without its `#`.
        public var name: String
        /// The web page.
        public var url: String?
    }
}
