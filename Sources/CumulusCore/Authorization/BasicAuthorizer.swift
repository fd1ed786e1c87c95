// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Basic authentication (RFC 7617) in UTF-8, sent without waiting to be asked.
public struct BasicAuthorizer: Authorizer, Equatable {
    private let user: String
    private let value: Secret<String>

    /// Makes the authorizer; a user name with a colon can't be told from its password and fails each request.
    public init(user: String, password: Secret<String>) {
        self.user = user
        let pair = Data("\(user):\(password.revealed)".utf8)
        value = Secret("Basic \(pair.base64EncodedString())")
    }

    /// Makes the authorizer of a password held in a `String`.
    @_disfavoredOverload
    public init(user: String, password: String) { self.init(user: user, password: Secret(password)) }

    /// It waits for nothing.
    public var mayWait: Bool { false }

    /// It has one answer, which is sent already.
    public var answersChallenges: Bool { false }

    /// Sets `Authorization` unless the request has one.
    public func authorize(_ request: inout EncodedRequest) async throws {
        guard !user.utf8.contains(UInt8(ascii: ":")) else {
            throw AuthorizationProblem("the user name holds a colon, which Basic authentication can't carry")
        }
        if request.headers[.authorization] == nil { request.headers[.authorization] = value.revealed }
    }

    /// Whether it is what a request was sent with.
    func isProof(in request: EncodedRequest) -> Bool { request.headers[.authorization] == value.revealed }
}
