// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Which authorizer answers a refusal, how often, and for which origins.
@Suite(.timeLimit(.minutes(10))) struct ChallengeTests {
    /// Sends a number that increases with each answer, and records what it sees.
    private final class Counting: Authorizer {
        struct State {
            var number = 0
            var seen: [AuthorizationChallenge] = []
            var heads: [Int] = []
        }

        let name: String
        let most: Int
        let challengeStatuses: StatusSet
        private let state = Mutex(State())

        init(_ name: String = "n", most: Int = 100, statuses: StatusSet = [.unauthorized]) {
            self.name = name
            self.most = most
            challengeStatuses = statuses
        }

        var seen: [AuthorizationChallenge] { state.withLock(\.seen) }
        var heads: [Int] { state.withLock(\.heads) }

        func authorize(_ request: inout EncodedRequest) async throws {
            let number = state.withLock(\.number)
            if request.headers[.authorization] == nil { request.headers[.authorization] = "\(name) \(number)" }
        }

        func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
            state.withLock { state in
                state.seen.append(challenge)
                guard state.number < most else { return .giveUp }
                state.number += 1
                return .again
            }
        }

        func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? {
            state.withLock { $0.heads.append(head.status.code) }
            return nil
        }
    }

    /// Answers 200 to a proof, and challenges all other requests.
    private func transport(accepting proof: String?) -> StubTransport {
        StubTransport { request in
            switch request.path {
            case "/away": return .response(.found, headers: [.location: "http://b.example/me"])
            case "/back": return .response(.found, headers: [.location: "http://a.example/me"])
            default: break
            }
            guard request.headers[.authorization] != proof || proof == nil else { return .text("in") }
            let offer: Headers = [.wwwAuthenticate: #"Basic realm="r", Odd x=y"#]
            return .response(.unauthorized, headers: offer, body: Array("who?".utf8))
        }
    }

    private func site(_ transport: StubTransport) -> Resource {
        Resource("http://a.example", transport: transport.watched)
    }

    @Test("an authorizer sees the request and the server's answer, and the request is sent again")
    func answered() async throws {
        let site = site(transport(accepting: "n 1"))
        let counting = Counting()
        site.setRules { $0.authorizers.append(counting) }
        let response = try await site["me"].get()
        #expect(response.text == "in")
        #expect(response.attempts.map(\.reason) == [.call, .challenge])
        let challenge = try #require(counting.seen.first)
        #expect(challenge.request.headers[.authorization] == "n 0")
        #expect(challenge.status == .unauthorized)
        #expect(challenge.attempt == 1)
        #expect(challenge.body.bytes == Array("who?".utf8))
        #expect(challenge.challenges.map(\.scheme) == ["Basic", "Odd"])
        #expect(challenge["basic"]?.realm == "r")
        #expect(counting.heads == [401, 200])
        #expect(!"\(challenge)".contains("n 0"))
    }

    @Test("it is asked up to maxAuthAttempts times, three by default", arguments: [nil, 0, 1, 5])
    func bounded(limit: Int?) async throws {
        let transport = transport(accepting: nil)
        let site = site(transport)
        let counting = Counting()
        site.setRules { $0.authorizers = [.custom(counting)] }
        if let limit { site.setRules { $0.maxAuthAttempts = limit } }
        #expect(try await site["me"].get().status == .unauthorized)
        #expect(transport.requests.count == (limit ?? 3) + 1)
        #expect(counting.seen.map(\.attempt) == Array(1..<(limit ?? 3) + 1))
    }

    @Test("of one layer's, each is asked until one wants another attempt; those of a layer above are not")
    func nearestLayer() async throws {
        let site = site(transport(accepting: "third 2"))
        let (first, second, third) = (Counting("first", most: 0), Counting("second", most: 0), Counting("third"))
        let child = site["me"]
        child.setRules { rules in for one in [first, second, third] { rules.authorizers.append(one) } }
        #expect(try await child.get().status == .ok)
        #expect([first, second, third].map(\.seen.count) == [2, 2, 2])
        let root = Counting("root")
        site.setRules { $0.authorizers.append(root) }
        child.setRules { $0.authorizers = [.custom(Counting("nobody", most: 0))] }
        #expect(try await child.get().status == .unauthorized)
        #expect(root.seen.isEmpty)
    }

    @Test("requests with their own Authorization, or with a body that can't be sent again, are not answered for")
    func leftAlone() async throws {
        let transport = transport(accepting: "n 1")
        let site = site(transport)
        let counting = Counting()
        site.setRules { $0.authorizers.append(counting) }
        #expect(try await site["me"].get(headers: [.authorization: "mine"]).status == .unauthorized)
        let once = AsyncStream<[UInt8]> { continuation in
            continuation.yield([1])
            continuation.finish()
        }
        #expect(try await site["me"].post(.stream(once)).status == .unauthorized)
        #expect(counting.seen.isEmpty)
        #expect(transport.requests.count == 2)
        #expect(try await site["me"].post(.text("again")).text == "in")
    }

    @Test("other statuses are refusals if an authorizer says so", arguments: [403, 404, 407])
    func otherStatuses(code: Int) async throws {
        let status = HTTPResponse.Status(code: code)
        let transport = StubTransport { request in
            let isIn = request.headers[.authorization] == "n 1"
            return isIn ? .text("in") : .response(status, headers: [.proxyAuthenticate: "P", .wwwAuthenticate: "W"])
        }
        let site = site(transport)
        site.setRules { $0.authorizers.append(Counting()) }
        #expect(try await site.get().status == status)
        let counting = Counting(statuses: [status])
        site.setRules { $0.authorizers = .replacing([.custom(counting)]) }
        #expect(try await site.get().text == "in")
        #expect(counting.seen.first?.challenges.map(\.scheme) == [code == 407 ? "P" : "W"])
    }

    @Test("an authorizer sees nothing of another origin, wherever a redirect led", arguments: [true, false])
    func otherOrigins(returns: Bool) async throws {
        let transport = transport(accepting: "n 1")
        let site = site(transport)
        let counting = Counting()
        if returns {
            let hops = Resource("http://b.example", transport: transport.watched) { $0.authorizers.append(counting) }
            #expect(try await hops["back"].get().status == .unauthorized)
            #expect(transport.requests.last?.headers[.authorization] == nil)
        } else {
            site.setRules { $0.authorizers.append(counting) }
            #expect(try await site["away"].get().status == .unauthorized)
            #expect(transport.requests.map { $0.headers[.authorization] } == ["n 0", nil])
        }
        #expect(counting.seen.isEmpty)
        #expect(counting.heads == [302])
    }

    @Test("declared origins share an authorizer: through a redirect, a link, and back; other hops end that")
    func shared() async throws {
        let transport = transport(accepting: "n 1")
        let site = Resource("http://a.example", transport: transport.watched(allowing: .init(sharesCredentials: true)))
        let counting = Counting()
        let b = Origin(scheme: .http, host: "b.example")
        site.setRules { $0.authorizers = [.custom(counting).sharing(with: [b])] }
        #expect(try await site["away"].get().text == "in")
        #expect(transport.requests.map { $0.headers[.authorization] } == ["n 0", "n 0", "n 1"])
        #expect(try await site.follow("http://b.example/me").get().text == "in")
        #expect(try await site.follow("http://b.example/back").get().text == "in")
        #expect(try await site.follow("http://c.example/me").get().status == .unauthorized)
        #expect(transport.lastRequest?.headers[.authorization] == nil)
        // A link to c, which redirects to the authorizer's own origin.
        #expect(try await site.follow("http://c.example/back").get().status == .unauthorized)
        #expect(transport.lastRequest?.headers[.authorization] == nil)
        #expect(!BoundAuthorizer.custom(counting).sharing(with: [b]).isSame(as: BoundAuthorizer.custom(counting)))
    }

    @Test("an error of an authorizer fails the call, with the refusal attached")
    func thrown() async throws {
        struct Failing: Authorizer {
            var refusesAnswers = false
            func authorize(_ request: inout EncodedRequest) async throws {}
            func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
                throw AuthorizationProblem("no key for \(challenge.challenges[0].scheme)")
            }
            func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? {
                if refusesAnswers { throw AuthorizationProblem("not the server") }
                return nil
            }
        }
        let site = site(transport(accepting: nil))
        site.setRules { $0.authorizers.append(Failing()) }
        let error = try await failure { try await site["me"].get() }
        #expect(error.code == .authorization)
        #expect(error.stage == .authorization)
        #expect(error.statusCode == 401)
        #expect(error.message.contains("no key for Basic"))
        site.setRules { $0.authorizers = .replacing([.custom(Failing(refusesAnswers: true))]) }
        let refused = try await failure { try await site["me"].get() }
        #expect(refused.code == .authorization)
        #expect(refused.message == "not the server")
    }

    @Test("an authorizer that answers with a request to its own place comes to an end")
    func nested() async throws {
        final class Selfish: Authorizer {
            private let site: Resource
            init(_ site: Resource) { self.site = site }
            func authorize(_ request: inout EncodedRequest) async throws {}
            func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
                try await site.get().requireSuccess()
                return .again
            }
        }
        let site = site(transport(accepting: nil))
        site.setRules {
            $0.maxConcurrentRequests = 1
            $0.authorizers.append(Selfish(site))
        }
        let error = try await failure { try await site.get() }
        #expect(error.code == .wouldDeadlock)
        #expect("\(error)".contains("replacing"))
        site.setRules { $0.authorizers = .replacing([]) }
    }

    @Test("an authorizer that only adds its proof is not kept for answers")
    func silent() async throws {
        struct Signing: Authorizer {
            var mayWait: Bool { false }
            var respondsToChallenges: Bool { false }
            func authorize(_ request: inout EncodedRequest) async throws {}
            func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition { .again }
        }
        let transport = transport(accepting: nil)
        let site = site(transport)
        site.setRules {
            $0.authorizers.append(Signing())
            $0.credentials = Credentials(user: "a", password: "b")
        }
        #expect(try await site["me"].get().status == .unauthorized)
        #expect(transport.requests.count == 1)
        #expect(site.snapshot.pipeline.attemptLoop.stages.authorization?.authorizers.respondsToChallenges == false)
    }
}
