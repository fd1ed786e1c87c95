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
        /// The text.
        public var body: String?
        /// The user who opened it.
        public var user: User?
        /// The labels.
        public var labels: [Label]?
        /// The assigned users.
        public var assignees: [User]?
        /// The number of comments.
        public var comments: Int?
        /// When it was opened (ISO 8601).
        public var createdAt: String?
        /// When it was last changed (ISO 8601).
        public var updatedAt: String?
        /// The web page.
        public var url: String?

        private enum CodingKeys: String, CodingKey {
            case number, title, state, body, user, labels, assignees, comments
            case createdAt = "created_at"
            case updatedAt = "updated_at"
            case url = "html_url"
        }
    }
}
