// SPDX-License-Identifier: Apache-2.0

extension Mastodon {
    /// A notification.
    public struct Notification: Codable, Sendable, Hashable {
        /// The notification's identifier.
        public var id: String
        /// The event: `mention`, `favourite`, `reblog`, `follow`.
        public var type: String
        /// The date of the event (ISO 8601).
        public var createdAt: String?
        /// The account that caused the event.
        public var account: Account?
        /// The status that the notification is about.
        public var status: Status?

        private enum CodingKeys: String, CodingKey {
            case id, type, account, status
            case createdAt = "created_at"
        }
    }
}
