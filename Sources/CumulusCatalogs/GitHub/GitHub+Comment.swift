// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// A comment on an issue or a pull request.
    public struct Comment: Codable, Sendable, Hashable {
        /// The comment's number.
        public var id: Int64
        /// The text.
        public var body: String?
        /// The author.
        public var user: User?
        /// When it was written (ISO 8601).
        public var createdAt: String?

        private enum CodingKeys: String, CodingKey {
            case id, body, user
            case createdAt = "created_at"
        }
    }
}
