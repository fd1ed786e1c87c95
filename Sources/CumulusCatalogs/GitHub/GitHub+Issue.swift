// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// An issue; lists of them have pull requests as well.
    public struct Issue: Codable, Sendable, Hashable {
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
        /// Its labels.
        public var labels: [Label]?
        /// The assigned users.
        public var assignees: [User]?
        /// How many comments it has.
        public var comments: Int?
        /// When it was opened (ISO 8601).
        public var createdAt: String?
        /// When it was last changed (ISO 8601).
        public var updatedAt: String?
        /// Its web page.
        public var url: String?

        private enum CodingKeys: String, CodingKey {
            case number, title, state, body, user, labels, assignees, comments
            case createdAt = "created_at"
            case updatedAt = "updated_at"
            case url = "html_url"
        }
    }
}
