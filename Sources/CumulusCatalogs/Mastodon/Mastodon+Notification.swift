// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// A notification.
    public struct Notification: Codable, Sendable, Hashable {
        /// What it is called.
        public var id: String
        /// What happened: `mention`, `favourite`, `reblog`, `follow`.
        public var type: String
        /// When (ISO 8601).
        public var createdAt: String?
        /// By whom.
        public var account: Account?
        /// To which status.
        public var status: Status?

        private enum CodingKeys: String, CodingKey {
            case id, type, account, status
            case createdAt = "created_at"
        }
    }
}
