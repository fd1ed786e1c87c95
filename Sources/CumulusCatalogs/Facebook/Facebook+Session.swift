// SPDX-License-Identifier: Apache-2.0

public import Cumulus

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Facebook {
    /// Somebody who is logged in: what `FinishLoginProcess` answers.
    public struct Session: Sendable, Hashable, Decodable {
        /// What the session is called.
        public let key: String
        /// What signs its requests.
        public let secret: Secret<String>
        /// Who it is; CocoaREST's `sessionIdentifier`.
        public let userID: Int64
        /// When it ends; `nil` for never.
        public let expires: Date?

        /// Names a session.
        public init(key: String, secret: Secret<String>, userID: Int64, expires: Date? = nil) {
            (self.key, self.secret, self.userID, self.expires) = (key, secret, userID, expires)
        }

        /// Reads CocoaREST's `sessionCredentials`, `secret~key`; `nil` for any other text.
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

        /// The session as CocoaREST kept it: `secret~key`.
        public var credentials: Secret<String> { Secret("\(secret.revealed)~\(key)") }

        private enum CodingKeys: String, CodingKey {
            case uid, expires, secret
            case key = "session_key"
        }

        /// Reads an answer; a session that `expires` at 0 never does.
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
    /// Whose session it is, nothing of its secret.
    public var description: String { "the session of user \(userID)" }

    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["session": description]) }
}
