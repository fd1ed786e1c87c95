// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// What an authorizer that isn't the library's may do as well as its own: a proof at hand, a check of the body.
@Suite(.timeLimit(.minutes(10))) struct OwnAuthorizerTests {
    /// A token that may be at hand, and the tasks in which it was asked for.
    private final class Token: Authorizer {
        private struct State {
            var value: String?
            var proofs: [Int] = []
            var fetches: [Int] = []
        }

        private let state: Mutex<State>

        init(_ value: String?) { state = Mutex(State(value: value)) }

        var proofs: [Int] { state.withLock(\.proofs) }
        var fetches: [Int] { state.withLock(\.fetches) }

        func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool {
            state.withLock { state in
                state.proofs.append(OwnAuthorizerTests.task)
                guard let value = state.value else { return false }
                request.headers[.authorization] = value
                return true
            }
        }

        func authorize(_ request: inout EncodedRequest) async throws {
            state.withLock { state in
                state.fetches.append(OwnAuthorizerTests.task)
                state.value = "fetched"
            }
            request.headers[.authorization] = "fetched"
        }

        func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
            guard challenge.attempt == 1 else { return .giveUp }
            state.withLock { $0.value = nil }
            return .again
        }
    }

    /// Checks that a body's bytes sum up to a number in the response's field.
    private final class Sum: Authorizer {
        private let ends = Mutex(0)
        let mayWait = false

        var endCount: Int { ends.withLock(\.self) }

        func authorize(_ request: inout EncodedRequest) async throws { request.headers[.authorization] = "Sum" }

        func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? {
            guard let wanted = head.headers["X-Sum"].flatMap({ Int($0) }) else { return nil }
            let sum = Atomic(0)
            return BodyCheck { piece in
                let more = piece.withUnsafeBytes { $0.reduce(0) { $0 + Int($1) } }
                sum.add(more, ordering: .relaxed)
            } finish: { [self] in
                ends.withLock { $0 += 1 }
                guard sum.load(ordering: .relaxed) == wanted else { throw AuthorizationProblem("the sum is wrong") }
            }
        }
    }

    private static var task: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

    /// A transport whose exchanges can be cancelled without a task.
    private func site(
        _ authorizer: some Authorizer,
        _ respond: @escaping @Sendable (StubRequest) -> StubResponse = { .text($0.headers[.authorization] ?? "-") }
    ) -> Resource {
        var capabilities = TransportCapabilities()
        capabilities.attachesExchanges = true
        return Resource(
            "https://a.example",
            transport: StubTransport(capabilities: capabilities) { respond($0) }.watched
        ) {
            $0.authorizers = [.custom(authorizer)]
        }
    }

    @Test func aProofAtHandIsAddedInTheCallersTask() async throws {
        let token = Token("known")
        #expect(try await site(token).get().text == "known")
        #expect(token.proofs == [Self.task])
        #expect(token.fetches.isEmpty)
    }

    @Test func aProofThatIsNotAtHandIsFetchedInATaskOfItsOwn() async throws {
        let token = Token(nil)
        let site = site(token)
        #expect(try await site.get().text == "fetched")
        #expect(token.fetches.count == 1 && token.fetches.first != Self.task)
        #expect(try await site.get().text == "fetched")
        #expect(token.fetches.count == 1)
    }

    @Test func aRefusedProofIsFetchedAgain() async throws {
        let token = Token("old")
        let site = site(token) { $0.headers[.authorization] == "old" ? .response(.unauthorized) : .text("welcome") }
        #expect(try await site.get().text == "welcome")
        #expect(token.fetches.count == 1)
    }

    @Test func theNearestProofAtHandIsSent() async throws {
        let (far, near) = (Token("far"), Token("near"))
        let site = site(far)
        let mine = site.with { $0.authorizers.append(near) }
        #expect(try await mine.get().text == "near")
        #expect(try await mine.with { $0.authorizers.append(.apiKey("k", header: "X-Key")) }.get().text == "near")
        #expect(try await mine.with { $0.authorizers.append(.bearer("mine")) }.get().text == "Bearer mine")
        #expect(far.fetches.isEmpty && near.fetches.isEmpty)
    }

    @Test func oneThatWaitsForAChallengeKeepsFartherProofsAway() async throws {
        struct Waiting: Authorizer {
            func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool { true }
            func authorize(_ request: inout EncodedRequest) async throws {}
        }
        let site = site(Token("far"))
        #expect(try await site.with { $0.authorizers.append(Waiting()) }.get().text == "-")
    }

    @Test func aFieldThatCanNotBeSentIsNamed() async throws {
        struct Malformed: Authorizer {
            func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool {
                request.headers["X-Proof"] = "a\nb"
                return true
            }
            func authorize(_ request: inout EncodedRequest) async throws {}
        }
        let error = await #expect(throws: CumulusError.self) { try await site(Malformed()).get() }
        #expect(error?.code == .authorization || error?.code == .invalidHeader)
        #expect(error?.description.contains("X-Proof") == true)
    }

    @Test(arguments: [294, 295]) func aBodyIsCheckedAsItWasReceived(_ sum: Int) async throws {
        let authorizer = Sum()
        let site = site(authorizer) { _ in .response(.ok, headers: ["X-Sum": "\(sum)"], body: Array("abc".utf8)) }
        if sum == 294 {
            #expect(try await site.get().text == "abc")
        } else {
            let error = await #expect(throws: CumulusError.self) { try await site.get() }
            #expect(error?.code == .authorization)
            #expect(error?.description.contains("the sum is wrong") == true)
        }
        #expect(authorizer.endCount == 1)
        let stream = try await site.call(.get).stream()
        var failed = false
        do { for try await _ in stream {} } catch { failed = true }
        #expect(failed == (sum == 295))
    }

    @Test func aBodyMustPassTheChecksOfAllAuthorizers() async throws {
        let (first, second) = (Sum(), Sum())
        let site = site(first) { _ in .response(.ok, headers: ["X-Sum": "294"], body: Array("abc".utf8)) }
        let mine = site.with { $0.authorizers.append(second) }
        #expect(try await mine.get().text == "abc")
        #expect((first.endCount, second.endCount) == (1, 1))
    }

    @Test func aBodyThatIsNotReadToItsEndIsNotJudged() async throws {
        let authorizer = Sum()
        let site = site(authorizer) { _ in .response(.ok, headers: ["X-Sum": "1"], body: Array("abc".utf8)) }
        try await site.call(.get).stream().cancel()
        #expect(authorizer.endCount == 0)
    }
}
