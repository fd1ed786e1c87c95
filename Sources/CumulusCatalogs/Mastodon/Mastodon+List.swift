// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// Some accounts that you put together.
    public struct List: Codable, Sendable, Hashable {
        /// What it is called for ``Mastodon/listTimeline(_:limit:maxID:sinceID:minID:)``.
        public var id: String
        /// What you call it.
        public var title: String
    }
}
