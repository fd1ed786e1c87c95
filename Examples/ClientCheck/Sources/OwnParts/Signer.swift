// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Synchronization

/// A signature that protects nobody; a real one is an HMAC.
enum Sum {
    static func of(_ bytes: [UInt8], key: UInt8) -> Int { bytes.reduce(Int(key)) { ($0 &* 31 &+ Int($1)) % 65_521 } }
}

/// An authorizer of one's own: it fetches its key once, signs each target, and checks the server's signature of the
/// body.
final class Signer: Authorizer {
    private let fetch: @Sendable () async throws -> UInt8
    private let key = Mutex<UInt8?>(nil)
    /// One client, whichever key it has: responses to it may be stored.
    let identity: AuthorizerIdentity? = .unique()

    init(fetch: @escaping @Sendable () async throws -> UInt8) { self.fetch = fetch }

    func authorize(_ request: inout EncodedRequest) async throws {
        let known = key.withLock(\.self)
        let used: UInt8
        if let known { used = known } else { used = try await fetch() }
        key.withLock { $0 = used }
        request.headers[.authorization] = "Sum \(Sum.of(Array(request.target.utf8), key: used))"
    }

    /// The key has changed: the next attempt fetches the new one.
    func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
        guard challenge["Sum"] != nil, challenge.attempt == 1 else {
            return .stop(because: "the new key is refused, too")
        }
        key.withLock { $0 = nil }
        return .again
    }

    func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? {
        guard let wanted = head.headers["X-Sum"], let key = key.withLock(\.self) else { return nil }
        let received = Collected()
        return BodyCheck {
            received.add($0.bytes)
        } finish: {
            guard "\(Sum.of(received.bytes, key: key))" == wanted else { throw Forged() }
        }
    }

    struct Forged: Error, CustomStringConvertible {
        let description = "the body isn't what the shelf has signed"
    }
}
