// SPDX-License-Identifier: Apache-2.0

extension Twitter {
    /// A direct message between two users.
    public struct DirectMessage: Codable, Sendable, Hashable {
        /// The message's number.
        public var id: Int64
        /// The text.
        public var text: String
        /// When it was written, in Twitter's format.
        public var createdAt: String?
        /// The sender.
        public var sender: User?
        /// The recipient.
        public var recipient: User?

        private enum CodingKeys: String, CodingKey {
            case id, text, sender, recipient
            case createdAt = "created_at"
        }
    }
}
