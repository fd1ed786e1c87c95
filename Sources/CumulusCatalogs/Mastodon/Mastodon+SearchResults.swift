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
