// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// A repository.
    public struct Repository: Codable, Sendable, Hashable {
        /// The repository's number.
        public var id: Int64
        /// The repository's name.
        public var name: String
        /// The names of the owner and the repository: `ada/weather`.
        public var fullName: String?
        /// The owner.
        public var owner: User?
        /// The description.
        public var description: String?
        /// Whether the repository is private.
        public var isPrivate: Bool?
        /// Whether the repository is a fork.
        public var isFork: Bool?
        /// The URL of the repository's web page.
        public var url: String?
        /// The default branch.
        public var defaultBranch: String?
        /// The number of stars.
        public var stars: Int64?
        /// The number of open issues and pull requests.
        public var openIssues: Int64?
        /// The time of the last push (ISO 8601).
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
