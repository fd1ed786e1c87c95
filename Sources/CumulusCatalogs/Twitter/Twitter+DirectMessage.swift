// SPDX-License-Identifier: Apache-2.0

extension Twitter {
    /// A direct message between two users.
    public struct DirectMessage: Codable, Sendable, Hashable {
        /// Its number.
        public var id: Int64
        /// The text.
        public var text: String
        /// When it was written, as Twitter writes it.
        public var createdAt: String?
        /// Who wrote it.
        public var sender: User?
        /// To whom.
        public var recipient: User?

        private enum CodingKeys: String, CodingKey {
            case id, text, sender, recipient
            case createdAt = "created_at"
        }
    }
}
