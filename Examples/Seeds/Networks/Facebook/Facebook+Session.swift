// SPDX-License-Identifier: Apache-2.0

public import Cumulus

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Facebook {
    /// The session of a logged-in user, as `FinishLoginProcess` returns it.
    public struct Session: Sendable, Hashable, Decodable {
        /// The session's key.
        public let key: String
        /// The secret that signs its requests.
        public let secret: Secret<String>
        /// The user's number; CocoaREST's `sessionIdentifier`.
        public let userID: Int64
        /// When the session ends; `nil` for never.
        public let expires: Date?

        /// Creates a session.
        public init(key: String, secret: Secret<String>, userID: Int64, expires: Date? = nil) {
            (self.key, self.secret, self.userID, self.expires) = (key, secret, userID, expires)
        }

        /// Parses CocoaREST's `sessionCredentials`, `secret~key`; `nil` for any other text.
        public init?(identifier userID: Int64, credentials: Secret<String>) {
            let bytes = credentials.revealed.utf8
            guard let tilde = bytes.firstIndex(of: UInt8(ascii: "~")) else { return nil }
            let (secret, key) = (bytes[..<tilde], bytes[bytes.index(after: tilde)...])
            if secret.isEmpty || key.isEmpty { return nil }
            self.init(
                key: String(decoding: key, as: UTF8.self),
                secret: Secret(String(decoding: secret, as: UTF8.self)),
                userID: userID
            )
        }

        /// The session in CocoaREST's stored form: `secret~key`.
        public var credentials: Secret<String> { Secret("\(secret.revealed)~\(key)") }

        private enum CodingKeys: String, CodingKey {
            case uid, expires, secret
            case key = "session_key"
        }

        /// Decodes a response; a session whose `expires` is 0 never ends.
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let expires = try members.decodeIfPresent(Double.self, forKey: .expires) ?? 0
            self.init(
                key: try members.decode(String.self, forKey: .key),
                secret: Secret(try members.decode(String.self, forKey: .secret)),
                userID: try members.decode(Int64.self, forKey: .uid),
                expires: expires > 0 ? Date(timeIntervalSince1970: expires) : nil
            )
        }
    }
}

extension Facebook.Session: CustomStringConvertible, CustomReflectable {
    /// The session's user, without the secret.
    public var description: String { "the session of user \(userID)" }

    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["session": description]) }
}
