// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// An issue; lists of issues also contain pull requests.
    public struct Issue: Codable, Sendable, Hashable {
        /// The issue's number in the repository.
        public var number: Int
        /// The title.
        public var title: String
        /// `open` or `closed`.
        public var state: String
        /// The issue's text.
        public var body: String?
        /// The user who opened the issue.
        public var user: User?
        /// The labels.
        public var labels: [Label]?
        /// The assigned users.
        public var assignees: [User]?
        /// The number of comments.
        public var comments: Int?
        /// The date when the issue was opened (ISO 8601).
        public var createdAt: String?
        /// The date of the last change (ISO 8601).
        public var updatedAt: String?
        /// The URL of the issue's web page.
        public var url: String?

        private enum CodingKeys: String, CodingKey {
            case number, title, state, body, user, labels, assignees, comments
            case createdAt = "created_at"
            case updatedAt = "updated_at"
            case url = "html_url"
        }
    }
}

extension GitHub {
    /// A label for issues.
    public struct Label: Codable, Sendable, Hashable {
        /// The label's name.
        public var name: String
        /// The color, as six hexadecimal digits.
        public var color: String?
    }
}

extension GitHub {
    /// A selection of issues or pull requests by their state.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// Open issues or pull requests.
        case open
        /// Closed issues or pull requests.
        case closed
        /// All issues or pull requests.
        case all
    }
}

extension GitHub {
    /// A comment on an issue or a pull request.
    public struct Comment: Codable, Sendable, Hashable {
        /// The comment's number.
        public var id: Int64
        /// The comment's text.
        public var body: String?
        /// The comment's author.
        public var user: User?
        /// The date when the comment was written (ISO 8601).
        public var createdAt: String?

        private enum CodingKeys: String, CodingKey {
            case id, body, user
            case createdAt = "created_at"
        }
    }
}
