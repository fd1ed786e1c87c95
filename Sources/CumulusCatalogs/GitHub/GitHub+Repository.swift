// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// A repository.
    public struct Repository: Codable, Sendable, Hashable {
        /// Its number.
        public var id: Int64
        /// Its name.
        public var name: String
        /// Its owner's name and its own: `ada/weather`.
        public var fullName: String?
        /// Its owner.
        public var owner: User?
        /// Its description.
        public var description: String?
        /// Whether it is private.
        public var isPrivate: Bool?
        /// Whether it is a fork.
        public var isFork: Bool?
        /// Its web page.
        public var url: String?
        /// The branch that is shown.
        public var defaultBranch: String?
        /// How many have starred it.
        public var stars: Int64?
        /// How many issues and pull requests are open.
        public var openIssues: Int64?
        /// When something was last pushed (ISO 8601).
        public var pushedAt: String?

        private enum CodingKeys: String, CodingKey {
            case id, name, owner, description
            case fullName = "full_name"
            case isPrivate = "private"
            case isFork = "fork"
            case url = "html_url"
            case defaultBranch = "default_branch"
            case stars = "stargazers_count"
            case openIssues = "open_issues_count"
            case pushedAt = "pushed_at"
        }
    }
}
