// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes
import Synchronization

/// Prompts a user, or reads a keychain, for user and password when a server requires them: once for all waiting
/// requests.
///
/// The result is also used for later requests, with Digest if the server offers it, otherwise with Basic. If the server
/// refuses the credentials, the closure is called again, with the next ``CredentialRequest/attempt``. If the closure
/// returns `nil`, all requests that wait for it end with the refusal; a later request calls it again. Each origin has
/// its own credentials, which are never sent to another origin.
package final class PromptAuthorizer: Authorizer {
    /// A closure that returns a user and a password, or `nil` to end the requests with the refusal; it may take long.
    package typealias Ask = @Sendable (CredentialRequest) async throws -> Credentials?

    private struct State {
        /// The authorizer with the latest credentials; `nil` without credentials.
        var authorizer: PasswordAuthorizer?
        /// The prompt that is running.
        var running: SharedWork<PasswordAuthorizer?>?
        var attempt = 0
        /// The authorizer with the credentials before.
        var previous: PasswordAuthorizer?
        /// Whether the origin has requested Digest.
        ///
        /// A later request for Basic could come from an attacker on the network path.
        var hasAskedForDigest = false
    }

    /// The states of all origins.
    private struct Memory {
        var states: [Origin: State] = [:]
        /// The user whose credentials were entered last, at any origin.
        var identity = AuthorizerIdentity.unique()
    }

    private let ask: Ask
    private let memory = Mutex(Memory())

    /// Creates the authorizer.
    package init(_ ask: @escaping Ask) { self.ask = ask }

    /// The user whose credentials were entered last: another identity after each prompt and each refusal.
    package var identity: AuthorizerIdentity? { memory.withLock(\.identity) }

    /// Adds the credentials, if there are any, unless a body has to be read first.
    package func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool {
        at(request.origin, \.authorizer)?.authorizeAtOnce(&request) ?? true
    }

    /// Adds the credentials, if there are any.
    package func authorize(_ request: inout EncodedRequest) async throws {
        try await at(request.origin, \.authorizer)?.authorize(&request)
    }

    /// Prompts for credentials, unless newer ones than the refused ones exist.
    package func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
        let origin = challenge.request.origin
        guard let wanted = PasswordAuthorizer.wanted(by: challenge) else {
            return .stop(because: DigestOffer.problem(with: challenge.challenges))
        }
        guard mayUse(wanted.scheme, origin) else {
            return .stop(because: "the server now requires Basic, but required Digest before")
        }
        while true {
            let authorizer = at(origin, \.authorizer)
            if let authorizer, try await authorizer.respond(to: challenge) == .again { return .again }
            guard let (shared, attempt) = join(origin, instead: authorizer) else { continue }
            let question = CredentialRequest(
                origin: origin,
                realm: wanted.realm,
                scheme: wanted.scheme,
                attempt: attempt
            )
            shared.begin { [self] in try await RequestScope.outside { try await given(question) } }
            // If all other waiting calls have just abandoned the prompt, this call doesn't wait for it.
            guard let answer = try await shared.wait() else { continue }
            guard let given = answer else { return .stop(because: "the prompt returned no user name and password") }
            return try await given.respond(to: challenge)
        }
    }

    /// True, since the credentials may be those of Digest.
    package var hasSingleUseCredentials: Bool { true }

    /// Records which credentials were accepted.
    package func examine(_ head: ResponseHead, of request: EncodedRequest) throws -> BodyCheck? {
        guard let authorizer = at(request.origin, \.authorizer) else { return nil }
        let check = try authorizer.examine(head, of: request)
        if head.status != .unauthorized, authorizer.hasCredentials(in: request) {
            change(request.origin) { $0.attempt = 0 }
        }
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

    /// Whether a scheme may be used: never Basic if Digest was requested before.
    private func mayUse(_ scheme: String, _ origin: Origin) -> Bool {
        change(origin) { state in
            if scheme == "Basic" { return !state.hasAskedForDigest }
            state.hasAskedForDigest = true
            return true
        }
    }

    /// The running prompt, or a new one; `nil` if new credentials were entered in the meantime.
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

    private func given(_ question: CredentialRequest) async throws -> PasswordAuthorizer? {
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
public struct CredentialRequest: Sendable, Hashable {
    /// The origin that requires them.
    public let origin: Origin
    /// The server's description of their purpose, safe to print; `nil` if the server sends none.
    public let realm: String?
    /// The scheme that will be used: `Digest`, or `Basic`, which sends the password in clear text.
    public let scheme: String
    /// The number of the prompt, counted from 1; more than 1 means that the server refused the previous credentials.
    public let attempt: Int
}
