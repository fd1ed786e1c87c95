// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// Asks a person, or a key chain, for user and password when a server wants them: once for all requests that wait.
///
/// What was given goes on to serve later requests, by Digest where the server offers it, else by Basic. Where it is
/// refused, the question comes again, with its ``CredentialQuestion/attempt``. The answer `nil` gives up, and so do all
/// requests that wait for it; a later request asks anew.
public final class PromptAuthorizer: Authorizer {
    /// Gives a user and a password, or `nil` to give up; may take its time.
    public typealias Ask = @Sendable (CredentialQuestion) async throws -> Credentials?

    private struct State {
        /// Who proves with what was given last; `nil` before the first answer.
        var prover: CredentialProver?
        /// The question that is being asked.
        var running: SharedWork<CredentialProver?>?
        var attempt = 0
        /// Who proved before.
        var previous: CredentialProver?
        /// The origins that have asked for Digest: by Basic they could be somebody on the way.
        var digestOrigins: Set<Origin> = []
    }

    private let ask: Ask
    private let state = Mutex(State())

    /// Makes the authorizer.
    public init(_ ask: @escaping Ask) { self.ask = ask }

    /// Adds the proof, where something was given.
    public func authorize(_ request: inout EncodedRequest) async throws {
        try await state.withLock(\.prover)?.authorize(&request)
    }

    /// Asks, unless somebody was asked since the refused request was sent.
    public func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer {
        guard let wanted = CredentialProver.wanted(by: challenge), mayUse(wanted.scheme, challenge.request.origin)
        else { return .giveUp }
        while true {
            let prover = state.withLock(\.prover)
            if let prover, try await prover.answer(challenge) == .again { return .again }
            guard let (shared, attempt) = join(instead: prover) else { continue }
            let question = CredentialQuestion(
                origin: challenge.request.origin,
                realm: wanted.realm,
                scheme: wanted.scheme,
                attempt: attempt
            )
            shared.begin { [self] in try await given(question) }
            // One that all others have left in this moment is not waited for.
            guard let answer = try await shared.wait() else { continue }
            guard let given = answer else { return .giveUp }
            return try await given.answer(challenge)
        }
    }

    /// Takes note of what was accepted.
    public func examine(_ head: ResponseHead, of request: EncodedRequest) throws {
        guard let prover = state.withLock(\.prover) else { return }
        try prover.examine(head, of: request)
        if head.status != .unauthorized, prover.isProof(in: request) { state.withLock { $0.attempt = 0 } }
    }

    /// Never Basic where Digest was asked for before.
    private func mayUse(_ scheme: String, _ origin: Origin) -> Bool {
        state.withLock { state in
            if scheme == "Basic" { return !state.digestOrigins.contains(origin) }
            state.digestOrigins.insert(origin)
            return true
        }
    }

    /// The question that is being asked, or a new one; `nil` where another was answered meanwhile.
    private func join(instead refused: CredentialProver?) -> (SharedWork<CredentialProver?>, Int)? {
        state.withLock { state in
            if let running = state.running, running.enter() { return (running, state.attempt) }
            guard state.prover === refused else { return nil }
            state.previous = state.prover ?? state.previous
            state.prover = nil
            state.attempt += 1
            let shared = SharedWork<CredentialProver?> { [weak self] ended in
                self?.state.withLock { if $0.running === ended { $0.running = nil } }
            }
            state.running = shared
            return (shared, state.attempt)
        }
    }

    private func given(_ question: CredentialQuestion) async throws -> CredentialProver? {
        do {
            let credentials = try await ask(question)
            return state.withLock { state in
                state.prover = credentials.map { CredentialProver($0, after: state.previous) }
                if state.prover == nil { state.attempt = 0 }
                return state.prover
            }
        } catch {
            state.withLock { $0.attempt = 0 }
            throw error
        }
    }
}
