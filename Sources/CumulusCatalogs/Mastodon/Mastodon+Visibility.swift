// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// Who may see a status.
    public enum Visibility: String, Codable, Sendable, Hashable, CaseIterable {
        /// Everybody, and it is in public timelines.
        case `public`
        /// Everybody, but it is in no public timeline.
        case unlisted
        /// Followers.
        case `private`
        /// Those whom it names.
        case direct
    }
}
