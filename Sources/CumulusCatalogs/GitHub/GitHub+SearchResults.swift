// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// A page of what a search found.
    public struct SearchResults<Item: Codable & Sendable & Hashable>: Codable, Sendable, Hashable {
        /// The number of results in all.
        public var totalCount: Int
        /// Whether GitHub gave up before it had looked at everything.
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
