// SPDX-License-Identifier: Apache-2.0

package import CumulusCore
import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Signs requests with AWS Signature Version 2, for old stores that support nothing newer.
///
/// Amazon's own regions no longer accept it; use ``AWSAuthorizer`` there. It covers neither bodies nor most fields.
/// S3 gets `Authorization: AWS KEY:SIGNATURE`, made with SHA-1; other services get a query signed with SHA-256.
package final class AWSVersion2Authorizer: Authorizer {
    private let cache: AWSCredentialCache
    private let service: String
    private let time: @Sendable () -> Date

    /// Whether the keys come from your own function.
    package let mayWait: Bool

    /// False: there is no better proof.
    package var respondsToChallenges: Bool { false }

    /// Creates an authorizer.
    ///
    /// - Parameters:
    ///   - source: The source of the keys.
    ///   - service: The service; `s3` is signed in a header field, all others in the query.
    ///   - time: The current time; for tests.
    package init(
        _ source: AWSCredentialSource,
        service: String = "s3",
        time: @escaping @Sendable () -> Date = { Date() }
    ) {
        cache = AWSCredentialCache(source, now: time)
        mayWait = source.mayWait
        self.service = service
        self.time = time
    }

    /// The user of the keys.
    package var identity: AuthorizerIdentity? { cache.identity }

    /// Adds `Authorization` and `Date`, or a signature to the query.
    package func authorize(_ request: inout EncodedRequest) async throws {
        let names = Set(AWSTarget.query(of: request.target).names)
        let isSigned = names.isSuperset(of: ["AWSAccessKeyId", "Signature"])
        guard request.headers[.authorization] == nil, !isSigned else { return }
        let credentials = try await cache.credentials()
        request.target = try AWSTarget.plain(request.target, isStore: service == "s3")
        if service == "s3" {
            if request.headers[.date] == nil { request.headers[.date] = HTTPDate(time()).description }
            request.set(.awsSecurityToken, to: credentials.sessionToken?.revealed)
            let text = AWSVersion2.storeText(of: request)
            let key = Array(credentials.secretAccessKey.revealed.utf8)
            let code = HMAC.authenticationCode(for: Array(text.utf8), key: key, by: .sha1)
            request.headers[.authorization] = "AWS \(credentials.accessKeyID):\(Data(code).base64EncodedString())"
        } else {
            guard case .none = request.body else {
                throw AuthorizationProblem("a version 2 signature in the query can't cover a body")
            }
            request.target = AWSVersion2.signedQuery(of: request, credentials, at: time())
        }
    }
}
