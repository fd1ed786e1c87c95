// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// The conversation around a status.
    public struct Context: Codable, Sendable, Hashable {
        /// The statuses that it replies to, the first one first.
        public var ancestors: [Status]
        /// The replies to it.
        public var descendants: [Status]
    }
}
