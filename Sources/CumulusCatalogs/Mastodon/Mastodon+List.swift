// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// A list of accounts that you compiled.
    public struct List: Codable, Sendable, Hashable {
        /// The list's identifier, for ``Mastodon/listTimeline(_:limit:maxID:sinceID:minID:)``.
        public var id: String
        /// The title.
        public var title: String
    }
}
