// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Credentials that the user is asked for.
@Suite(.timeLimit(.minutes(10))) struct PromptTests {
    /// Answers questions in order, and records them.
    private final class Person: Sendable {
        private let state: Mutex<(answers: ArraySlice<Credentials?>, asked: [CredentialRequest])>
        private let gate: Gate?

        init(_ answers: [Credentials?], gate: Gate? = nil) {
            state = Mutex((answers[...], []))
            self.gate = gate
        }

        var asked: [CredentialRequest] { state.withLock(\.asked) }

        func answer(_ question: CredentialRequest) async throws -> Credentials? {
            let answer = state.withLock { state in
                state.asked.append(question)
                return state.answers.popFirst() ?? nil
            }
            try await gate?.wait()
            return answer
        }
    }

    private let ada = Credentials(user: "ada", password: "lovelace")
    private let wrong = Credentials(user: "ada", password: "wrong")

    private func site(_ person: Person, isBasic: Bool = false) -> (Resource, StubTransport) {
        let transport =
            isBasic
            ? StubTransport { request in
                request.headers[.authorization] == "Basic YWRhOmxvdmVsYWNl"
                    ? .text("in")
                    : .response(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"a\u{202E}b\""])
            } : .digest(DigestSpace(user: "ada", password: "lovelace"))
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.authorizers = [.prompting { try await person.answer($0) }]
        }
        return (site, transport)
    }

    @Test func whatWasGivenForOneOriginIsShownToNoOther() async throws {
        let person = Person([ada, nil])
        let transport = StubTransport { request in
            if request.request.origin.host == "a.example", request.headers[.authorization] != nil { return .text("in") }
            let scheme =
                request.request.origin.host == "a.example"
                ? "Digest realm=\"a\", nonce=\"n\", qop=\"auth\"" : "Basic realm=\"a\""
            return .response(.unauthorized, headers: [.wwwAuthenticate: scheme])
        }
        let authorizer = PromptAuthorizer { try await person.answer($0) }
        for host in ["a.example", "b.example"] {
            let site = Resource("https://\(host)", transport: transport.watched) {
                $0.authorizers = [.custom(authorizer)]
            }
            _ = try await site.get()
        }
        #expect(person.asked.map(\.origin.host) == ["a.example", "b.example"])
        let others = transport.requests.filter { $0.request.origin.host == "b.example" }
        #expect(!others.isEmpty && others.allSatisfy { $0.headers[.authorization] == nil })
    }

    @Test(
        "the question is asked when the server challenges, for Digest or Basic, and not again",
        arguments: [true, false]
    )
    func asked(isBasic: Bool) async throws {
        let person = Person([ada])
        let (site, transport) = site(person, isBasic: isBasic)
        #expect(try await site["a"].get().isSuccessful)
        #expect(try await site["b"].get().isSuccessful)
        #expect(transport.requests.count == 3)
        let question = try #require(person.asked.first)
        #expect(person.asked.count == 1)
        #expect(question.attempt == 1)
        #expect(question.origin == Origin(scheme: .http, host: "a.example"))
        #expect(question.realm == (isBasic ? "a\\u202eb" : "test"))
        #expect(question.scheme == (isBasic ? "Basic" : "Digest"))
    }

    @Test("one question answers a hundred waiting requests, also with a limit of 1", arguments: [nil, 1])
    func onceForAll(limit: Int?) async throws {
        let gate = Gate()
        let person = Person([ada], gate: gate)
        let (site, _) = site(person)
        if let limit { site.setRules { $0.maxConcurrentRequests = limit } }
        async let all = withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 { group.addTask { try await site[segment: "\(number)"].get().isSuccessful } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        try await gate.waitForWaiters()
        gate.open()
        #expect(try await all == 100)
        #expect(person.asked.count == 1)
    }

    @Test("after a refused password the question is asked again, with the attempt's number")
    func again() async throws {
        let person = Person([wrong, wrong, ada])
        let (site, _) = site(person)
        #expect(try await site.get().isSuccessful)
        #expect(person.asked.map(\.attempt) == [1, 2, 3])
    }

    @Test("maxAuthAttempts limits the questions of one call")
    func bounded() async throws {
        let person = Person([wrong, wrong, wrong, wrong, ada])
        let (site, _) = site(person)
        #expect(try await site.get().status == .unauthorized)
        #expect(person.asked.count == 3)
    }

    @Test("giving no credentials returns the 401, and a later request asks again")
    func givenUp() async throws {
        let person = Person([nil, ada])
        let (site, _) = site(person)
        #expect(try await site.get().status == .unauthorized)
        #expect(try await site.get().isSuccessful)
        #expect(person.asked.map(\.attempt) == [1, 1])
    }

    @Test("a cancelled caller doesn't take the question from the others")
    func cancelled() async throws {
        let gate = Gate()
        // The second question is asked if the first caller left before the second one arrived.
        let person = Person([ada, ada], gate: gate)
        let (site, _) = site(person)
        let first = Task { try await site["1"].get().isSuccessful }
        try await gate.waitForWaiters()
        let second = Task { try await site["2"].get().isSuccessful }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        #expect(try await second.value)
    }

    @Test("after Digest was used, Basic is not")
    func downgrade() async throws {
        let person = Person([ada, ada])
        let space = DigestSpace(user: "ada", password: "lovelace")
        let transport = StubTransport { request in
            let verdict = space.judge(
                method: "GET",
                target: request.request.target,
                authorization: request.headers[.authorization]
            )
            if request.path == "/basic" {
                return .response(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=r"])
            }
            guard case .refused(let challenges) = verdict else { return .text("in") }
            return .response(.unauthorized, headers: [.wwwAuthenticate: challenges[0]])
        }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.authorizers = [.prompting { try await person.answer($0) }]
        }
        #expect(try await site["digest"].get().isSuccessful)
        #expect(try await site["basic"].get().status == .unauthorized)
        #expect(transport.requests.allSatisfy { $0.headers[.authorization]?.hasPrefix("Basic") != true })
    }
}
