// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// A pull request.
    public struct PullRequest: Codable, Sendable, Hashable {
        /// The head or the base of a pull request.
        public struct Branch: Codable, Sendable, Hashable {
            /// The branch's name.
            public var ref: String
            /// The latest commit.
            public var sha: String?
        }

        /// The pull request's number in the repository.
        public var number: Int
        /// The title.
        public var title: String
        /// `open` or `closed`.
        public var state: String
        /// The pull request's text.
        public var body: String?
        /// The user who opened the pull request.
        public var user: User?
        /// The branch to merge.
        public var head: Branch?
        /// The branch to merge into.
        public var base: Branch?
        /// Whether the pull request is a draft.
        public var isDraft: Bool?
        /// The date when the pull request was merged (ISO 8601).
        public var mergedAt: String?

        private enum CodingKeys: String, CodingKey {
            case number, title, state, body, user, head, base
            case isDraft = "draft"
            case mergedAt = "merged_at"
        }
    }
}
