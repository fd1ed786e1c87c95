// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization
import Testing

/// Basic and Digest with Apache and httpbin.
@Suite(.enabled(if: InteropServers.apache != nil, "\(InteropServers.reason)"))
struct AuthorizationServerTests {
    private static let transports = InteropTransport.allCases
    private let password: Secret<String> = "love lace:\u{E9}"

    private func apache(_ transport: InteropTransport, _ authorizer: BoundAuthorizer) throws -> Resource {
        let site = try transport.resource(InteropServers.apache)
        site.setRules { $0.authorizers = [authorizer] }
        return site
    }

    private func httpbin(_ transport: InteropTransport, _ password: Secret<String> = "lovelace") throws -> Resource {
        let site = try transport.resource(InteropServers.httpbin)
        site.setRules { $0.authorizers = [.digest(user: "ada", password: password)] }
        return site
    }

    @Test("Apache's Basic: without a challenge, after one, and refused", arguments: transports)
    func basic(transport: InteropTransport) async throws {
        let unasked = try apache(transport, .basic(user: "ada", password: password))["basic/hello.txt"]
        #expect(try await unasked.get().attempts.count == 1)
        let asked = try apache(transport, .basic(user: "ada", password: password, whenAsked: true))["basic/hello.txt"]
        let response = try await asked.get()
        #expect(response.text == "hello from nginx\n")
        #expect(response.attempts.map(\.reason) == [.call, .challenge])
        #expect(try await asked.get().attempts.count == 1)
        let wrong = try apache(transport, .basic(user: "ada", password: "x"))["basic/hello.txt"]
        #expect(try await wrong.get().status == .unauthorized)
    }

    @Test("Apache's Digest, its own proof, and its refusals", arguments: transports)
    func digest(transport: InteropTransport) async throws {
        let file = try apache(transport, .digest(user: "ada", password: password))["digest/hello.txt"]
        let response = try await file.get(query: ["q": "a b"])
        #expect(response.text == "hello from nginx\n")
        #expect(response.attempts.map(\.reason) == [.call, .challenge])
        #expect(response.headers[.authenticationInfo]?.contains("rspauth") == true)
        #expect(try await file.head().isSuccessful)
        let wrong = try apache(transport, .digest(user: "ada", password: "x"))["digest/hello.txt"]
        #expect(try await wrong.get().status == .unauthorized)
        let asked = try apache(transport, .prompting { _ in Credentials(user: "ada", password: password) })
        #expect(try await asked["digest/hello.txt"].get().isSuccessful)
        #expect(try await asked["basic/hello.txt"].get().status == .unauthorized)
    }

    @Test("Apache's nonces, which last two seconds, under many concurrent requests")
    func staleNonces() async throws {
        let file = try apache(.nio, .digest(user: "ada", password: password))["stale/hello.txt"]
        file.setRules { $0.maxConcurrentRequests = 8 }
        // Where the machine is so busy that a request takes two seconds, its next nonce is stale, too.
        file.setRules { $0.maxAuthAttempts = 20 }
        var refusals = 0
        // Until two nonces have become stale, however many requests that takes.
        for _ in 0..<10_000 where refusals < 2 {
            refusals += try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        let response = try await file.get()
                        return response.isSuccessful ? response.attempts.count - 1 : 1_000_000
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        #expect(refusals >= 2)
        #expect(refusals < 1_000_000)
    }

    @Test(
        "httpbin's Digest",
        arguments: transports,
        [("MD5", "auth"), ("MD5", "auth-int"), ("SHA-256", "auth"), ("SHA-256", "auth-int")]
    )
    func algorithms(transport: InteropTransport, kind: (algorithm: String, protection: String)) async throws {
        let (algorithm, protection) = kind
        let place = try httpbin(transport)["digest-auth"][segment: protection]["ada/lovelace"][segment: algorithm]
        let response = try await place.get()
        #expect(try response.requireSuccess().json()["authenticated"].bool == true)
        #expect(response.attempts.map(\.reason) == [.call, .challenge])
        let wrong = try httpbin(transport, "x")["digest-auth"][segment: protection]["ada/lovelace"][segment: algorithm]
        #expect(try await wrong.get().status == .unauthorized)
    }

    @Test("httpbin checks a body that the proof covers (auth-int)", arguments: ["MD5", "SHA-256"])
    func coveredBody(algorithm: String) async throws {
        let place = try httpbin(.nio)["digest-auth/auth-int/ada/lovelace"][segment: algorithm]
        // It only takes GET, but reads and hashes its body.
        for text in ["hello", "", String(repeating: "clouds ", count: 20_000)] {
            let response = try await place.call(.get, .text(text)).send()
            #expect(try response.requireSuccess().json()["authenticated"].bool == true)
        }
    }

    /// Records the nonce of the last proof.
    private final class Nonces: Sendable {
        private let latest = Mutex<String?>(nil)

        var last: String? { latest.withLock(\.self) }

        func observe(_ event: CallEvent) {
            guard case .sending(let request) = event.kind, let field = request.headers[.authorization],
                let nonce = AuthenticationChallenge.parse([field]).first?["nonce"]
            else { return }
            latest.withLock { $0 = nonce }
        }
    }

    @Test("httpbin's stale nonce is replaced by its next one")
    func stale() async throws {
        let place = try httpbin(.nio)["digest-auth/auth/ada/lovelace/SHA-256/never"]
        let nonces = Nonces()
        place.setRules { $0.observers.append(nonces.observe) }
        #expect(try await place.get().isSuccessful)
        let nonce = try #require(nonces.last)
        // With this cookie httpbin detects a nonce that is used up.
        let response = try await place.get(headers: [.cookie: "last_nonce=\(nonce)"])
        #expect(response.isSuccessful)
        #expect(response.attempts.map(\.reason) == [.call, .challenge])
        #expect(nonces.last != nonce)
    }
}
