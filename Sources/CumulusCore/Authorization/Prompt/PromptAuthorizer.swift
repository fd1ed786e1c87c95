// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes
import Synchronization

/// Asks a person, or a keychain, for user and password when a server requires them: once for all waiting requests.
///
/// The answer is also used for later requests, with Digest if the server offers it, else with Basic. If the server
/// refuses it, the question is asked again, with its ``CredentialQuestion/attempt``. The answer `nil` gives up for all
/// requests that wait for it; a later request asks again. Each origin has its own question, and its answer is never
/// sent to another.
package final class PromptAuthorizer: Authorizer {
    /// Returns a user and a password, or `nil` to give up; may take its time.
    package typealias Ask = @Sendable (CredentialQuestion) async throws -> Credentials?

    private struct State {
        /// Proves the latest answer; `nil` before the first one.
        var authorizer: PasswordAuthorizer?
        /// The question that is being asked.
        var running: SharedWork<PasswordAuthorizer?>?
        var attempt = 0
        /// The previous prover.
        var previous: PasswordAuthorizer?
        /// Whether the origin has asked for Digest: a later demand for Basic could come from an attacker in between.
        var hasAskedForDigest = false
    }

    /// What is known of all origins.
    private struct Memory {
        var states: [Origin: State] = [:]
        /// Who has answered last, at any origin.
        var identity = AuthorizerIdentity.unique()
    }

    private let ask: Ask
    private let memory = Mutex(Memory())

    /// Makes the authorizer.
    package init(_ ask: @escaping Ask) { self.ask = ask }

    /// The user who has answered last: another identity after each answer and each refusal.
    package var identity: AuthorizerIdentity? { memory.withLock(\.identity) }

    /// Adds the proof, if there is an answer.
    package func authorize(_ request: inout EncodedRequest) async throws {
        try await at(request.origin, \.authorizer)?.authorize(&request)
    }

    /// Asks, unless a newer answer than the refused one exists.
    package func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer {
        let origin = challenge.request.origin
        guard let wanted = PasswordAuthorizer.wanted(by: challenge) else {
            return .stop(because: DigestOffer.problem(with: challenge.challenges))
        }
        guard mayUse(wanted.scheme, origin) else {
            return .stop(because: "the server asks for Basic now, but asked for Digest before")
        }
        while true {
            let authorizer = at(origin, \.authorizer)
            if let authorizer, try await authorizer.answer(challenge) == .again { return .again }
            guard let (shared, attempt) = join(origin, instead: authorizer) else { continue }
            let question = CredentialQuestion(
                origin: origin,
                realm: wanted.realm,
                scheme: wanted.scheme,
                attempt: attempt
            )
            shared.begin { [self] in try await RequestScope.outside { try await given(question) } }
            // A question that all others have just abandoned is not waited for.
            guard let answer = try await shared.wait() else { continue }
            guard let given = answer else { return .stop(because: "no user and password were given") }
            return try await given.answer(challenge)
        }
    }

    /// True: the proof may be Digest's.
    package var provesOnce: Bool { true }

    /// Notes which proof was accepted.
    package func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? {
        guard let authorizer = at(request.origin, \.authorizer) else { return nil }
        let check = try authorizer.examine(head, of: request)
        if head.status != .unauthorized, authorizer.hasCredentials(in: request) { change(request.origin) { $0.attempt = 0 } }
        return check
    }

    private func at<Value: Sendable>(_ origin: Origin, _ value: (State) -> Value) -> Value {
        memory.withLock { value($0.states[origin] ?? State()) }
    }

    private func change<Result: Sendable>(_ origin: Origin, _ edit: (inout State) -> Result) -> Result {
        memory.withLock { memory in
            let before = memory.states[origin]?.authorizer
            let result = edit(&memory.states[origin, default: State()])
            if memory.states[origin]?.authorizer !== before { memory.identity = .unique() }
            return result
        }
    }

    /// Never Basic if Digest was asked for before.
    private func mayUse(_ scheme: String, _ origin: Origin) -> Bool {
        change(origin) { state in
            if scheme == "Basic" { return !state.hasAskedForDigest }
            state.hasAskedForDigest = true
            return true
        }
    }

    /// The running question, or a new one; `nil` if another was answered in the meantime.
    private func join(
        _ origin: Origin,
        instead refused: PasswordAuthorizer?
    ) -> (SharedWork<PasswordAuthorizer?>, Int)? {
        change(origin) { state in
            if let running = state.running, running.enter() { return (running, state.attempt) }
            guard state.authorizer === refused else { return nil }
            state.previous = state.authorizer ?? state.previous
            state.authorizer = nil
            state.attempt += 1
            let shared = SharedWork<PasswordAuthorizer?> { [weak self] ended in
                self?.change(origin) { if $0.running === ended { $0.running = nil } }
            }
            state.running = shared
            return (shared, state.attempt)
        }
    }

    private func given(_ question: CredentialQuestion) async throws -> PasswordAuthorizer? {
        do {
            let credentials = try await ask(question)
            return change(question.origin) { state in
                state.authorizer = credentials.map { PasswordAuthorizer($0, after: state.previous) }
                if state.authorizer == nil { state.attempt = 0 }
                return state.authorizer
            }
        } catch {
            change(question.origin) { $0.attempt = 0 }
            throw error
        }
    }
}

/// A request for a user and a password.
public struct CredentialQuestion: Sendable, Hashable {
    /// The origin that requires them.
    public let origin: Origin
    /// What they are for, in the server's words, fit to print; `nil` if the server doesn't say.
    public let realm: String?
    /// The scheme that will be used: `Digest`, or `Basic`, which sends the password in clear text.
    public let scheme: String
    /// How often this was asked, from 1; more than 1 means that the server refused the previous answer.
    public let attempt: Int
}
