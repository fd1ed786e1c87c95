// SPDX-License-Identifier: Apache-2.0

extension Facebook {
    /// A user with an account, with the requested fields.
    public struct User: Codable, Sendable, Hashable {
        /// The account's number.
        public var id: Int64
        /// The person's name.
        public var name: String?

        private enum CodingKeys: String, CodingKey {
            case name
            case id = "uid"
        }
    }
}
