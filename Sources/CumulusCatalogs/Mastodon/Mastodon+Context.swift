// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// The conversation around a status.
    public struct Context: Codable, Sendable, Hashable {
        /// What it replies to, the first first.
        public var ancestors: [Status]
        /// What replies to it.
        public var descendants: [Status]
    }
}
