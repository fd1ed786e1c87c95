// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// A page of search results.
    public struct SearchResults<Item: Codable & Sendable & Hashable>: Codable, Sendable, Hashable {
        /// The total number of results.
        public var totalCount: Int
        /// Whether GitHub stopped before it had searched everything.
        public var isIncomplete: Bool?
        /// The results on this page.
        public var items: [Item]

        private enum CodingKeys: String, CodingKey {
            case items
            case totalCount = "total_count"
            case isIncomplete = "incomplete_results"
        }
    }
}
