// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// Basic authentication (RFC 7617) that is first sent when a server requests it, and then with each request.
final class ChallengedBasicAuthorizer: Authorizer {
    private let basic: BasicAuthorizer
    /// The origins that have requested it.
    private let asked = Mutex<Set<Origin>>([])

    init(_ credentials: Credentials) {
        basic = BasicAuthorizer(user: credentials.user, password: credentials.password)
    }

    var mayWait: Bool { false }
    var identity: AuthorizerIdentity? { basic.identity }

    func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool {
        let origin = request.origin
        return asked.withLock { $0.contains(origin) } ? basic.authorizeAtOnce(&request) : true
    }

    func authorize(_ request: inout EncodedRequest) async throws {
        if !authorizeAtOnce(&request) { try await basic.authorize(&request) }
    }

    func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
        guard challenge["Basic"] != nil else {
            return .stop(because: UnsupportedSchemes.missing("Basic", among: challenge.challenges))
        }
        guard !basic.hasCredentials(in: challenge.request) else { return .refusedCredentials }
        asked.withLock { _ = $0.insert(challenge.request.origin) }
        return .again
    }

    /// Whether a request was sent with these credentials.
    func hasCredentials(in request: EncodedRequest) -> Bool { basic.hasCredentials(in: request) }
}
