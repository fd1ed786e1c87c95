// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The keys that Amazon Web Services know an account by.
public struct AWSCredentials: Sendable, Hashable {
    /// Which key it is; sent with each request.
    public let accessKeyID: String
    /// What signatures are made with; never sent.
    public let secretAccessKey: Secret<String>
    /// The token of temporary keys; sent with each request.
    public let sessionToken: Secret<String>?
    /// When they end; `nil` for keys that last.
    public let expiration: Date?

    /// Puts credentials together.
    public init(
        accessKeyID: String,
        secretAccessKey: Secret<String>,
        sessionToken: Secret<String>? = nil,
        expiration: Date? = nil
    ) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.expiration = expiration
    }

    /// Refuses what no request can carry.
    func checked() throws -> AWSCredentials {
        func isSound(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy { 0x21...0x7E ~= $0 } }
        guard isSound(accessKeyID), !accessKeyID.has("/") else {
            throw AuthorizationProblem("the AWS access key ID is empty or contains a character that is not allowed")
        }
        guard isSound(secretAccessKey.revealed) else {
            throw AuthorizationProblem("the AWS secret access key is empty or contains a character that is not allowed")
        }
        guard sessionToken.map({ isSound($0.revealed) }) ?? true else {
            throw AuthorizationProblem("the AWS session token is empty or contains a character that is not allowed")
        }
        return self
    }
}

extension AWSCredentials: CustomStringConvertible, CustomReflectable {
    /// The key's ID and when it ends, nothing of its secrets.
    public var description: String {
        "AWS key \(PeerText.printable(accessKeyID))" + (expiration.map { " until \(HTTPDate($0))" } ?? "")
    }
    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["key": description]) }
}
