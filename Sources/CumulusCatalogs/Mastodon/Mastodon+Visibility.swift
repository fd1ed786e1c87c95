// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// Who may see a status.
    public enum Visibility: String, Codable, Sendable, Hashable, CaseIterable {
        /// Everyone, and public timelines show it.
        case `public`
        /// Everyone, but public timelines don't show it.
        case unlisted
        /// Followers.
        case `private`
        /// The accounts that it mentions.
        case direct
    }
}
