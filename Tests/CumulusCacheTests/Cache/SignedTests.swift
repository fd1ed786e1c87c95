// SPDX-License-Identifier: Apache-2.0

import CumulusAWS
import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import Testing

@testable import CumulusCache
@testable import CumulusCore

/// Signed requests: what is sent is signed with the cache's conditions, and what is stored needs no signature.
@Suite(.timeLimit(.minutes(10))) struct SignedTests {
    /// Signs method, target and all fields by HMAC-SHA256.
    private struct Signer: Authorizer {
        let user: String
        let mayWait = false
        var identity: AuthorizerIdentity? { AuthorizerIdentity("Own \(user)") }

        static func code(_ user: String, _ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields) -> String
        {
            let lines = fields.filter { $0.name != .authorization && $0.name != .contentLength }
                .map { "\($0.name.canonicalName): \($0.value)" }.sorted()
            let text = ([method.rawValue, target] + lines).joined(separator: "\n")
            return MessageDigest.hexadecimal(HMAC(key: Array("key of \(user)".utf8)).code(of: Array(text.utf8)))
        }

        func authorize(_ request: inout EncodedRequest) async throws {
            let code = Signer.code(user, request.method, request.target, request.headers)
            request.headers[.authorization] = "Own \(user) \(code)"
        }
    }

    /// Refuses what isn't signed as it came.
    private func site() -> CachedSite {
        CachedSite { request in
            let words = (request.headers[.authorization] ?? "").split(separator: " ").map(String.init)
            let sent = request.request
            guard words.count == 3, words[2] == Signer.code(words[1], sent.method, sent.target, sent.headers) else {
                return .response(.unauthorized)
            }
            let headers: Headers = [.cacheControl: "private, max-age=60", .eTag: "\"1\""]
            if request.headers[.ifNoneMatch] == "\"1\"" { return .response(.notModified, headers: headers) }
            return .response(headers: headers, body: Array("\(words[1]) \(request.number)".utf8))
        }
    }

    @Test func conditionsAreSignedAndHitsAreNot() async throws {
        let site = site()
        let ann = site.site["x"].with { $0.authorizers = [.custom(Signer(user: "ann"))] }
        let bob = site.site["x"].with { $0.authorizers = [.custom(Signer(user: "bob"))] }
        for _ in 0..<2 {
            #expect(try await ann.get().text == "ann 1")
            #expect(try await bob.get().text == "bob 2")
        }
        #expect(site.count == 2)
        site.clock.advance(by: .seconds(60))
        let confirmed = try await ann.get()
        #expect((confirmed.text, confirmed.storeNote) == ("ann 1", "fwd=stale; fwd-status=304; ttl=60"))
        #expect(site.count == 3)
    }

    @Test func signaturesOfAWSCoverThem() async throws {
        let site = CachedSite.validating([.cacheControl: "max-age=60"])
        let signer = AWSAuthorizer(.keys(id: "AKID", secret: "s"), region: "r", service: "execute-api") {
            Stored.arrival
        }
        let user = site.site["x"].with { $0.authorizers = [.custom(signer)] }
        for _ in 0..<2 { #expect(try await user.get().text == "body 1") }
        site.clock.advance(by: .seconds(60))
        #expect(try await user.get().storeNote == "fwd=stale; fwd-status=304; ttl=60")
        let proofs = site.transport.requests.map { $0.headers[.authorization] ?? "" }
        #expect(proofs.count == 2 && proofs.allSatisfy { $0.hasPrefix("AWS4-HMAC-SHA256 ") } && proofs[0] != proofs[1])
        #expect(proofs[1].contains("if-none-match"))
    }
}
