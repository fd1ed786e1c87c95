// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The keys of an account at Amazon Web Services.
public struct AWSCredentials: Sendable, Hashable {
    /// The key's identifier; sent with each request.
    public let accessKeyID: String
    /// The secret that signs requests; never sent.
    public let secretAccessKey: Secret<String>
    /// The token of temporary keys; sent with each request.
    public let sessionToken: Secret<String>?
    /// The expiration date of the keys; `nil` for permanent keys.
    public let expiration: Date?

    /// Creates credentials.
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

    /// Refuses credentials that no request can carry.
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

extension AWSCredentials: Redacted {
    /// The key's ID and its expiration, without secrets.
    public var description: String {
        "AWS key \(PeerText.printable(accessKeyID))" + (expiration.map { " until \(HTTPDate($0))" } ?? "")
    }
}
