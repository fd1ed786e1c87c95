// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// A pull request.
    public struct PullRequest: Codable, Sendable, Hashable {
        /// One of its two ends.
        public struct Branch: Codable, Sendable, Hashable {
            /// The branch.
            public var ref: String
            /// Its latest commit.
            public var sha: String?
        }

        /// Its number in the repository.
        public var number: Int
        /// Its title.
        public var title: String
        /// `open` or `closed`.
        public var state: String
        /// The text.
        public var body: String?
        /// Who opened it.
        public var user: User?
        /// The branch to be merged.
        public var head: Branch?
        /// Where to.
        public var base: Branch?
        /// Whether it is a draft.
        public var isDraft: Bool?
        /// When it was merged (ISO 8601).
        public var mergedAt: String?

        private enum CodingKeys: String, CodingKey {
            case number, title, state, body, user, head, base
            case isDraft = "draft"
            case mergedAt = "merged_at"
        }
    }
}
