// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Dispatch

/// A password that the user has typed: if the server refuses it, the user is asked again.
struct TypedPassword: Sendable {
    /// How many passwords are tried, including the first.
    static let mostTries = 3

    let user: String
    let password: Secret<String>
    let console: Console

    /// Sends it with the first request.
    var basic: SettingList<BoundAuthorizer> {
        [
            // Before the other one, whose field it replaces once there is another password.
            .prompting { question in
                guard question.scheme == "Digest" else {
                    return try await another(question, number: question.attempt + 1)
                }
                return try await proven(question)
            },
            .basic(user: user, password: password),
        ]
    }

    /// Proves it once the server asks for Digest, and never sends it.
    var digest: SettingList<BoundAuthorizer> {
        [
            .prompting { question in
                question.scheme == "Digest" ? try await proven(question) : nil
            }
        ]
    }

    /// For Digest, which hasn't had the first password yet.
    private func proven(_ question: CredentialRequest) async throws -> Credentials? {
        if question.attempt == 1 { return Credentials(user: user, password: password) }
        return try await another(question, number: question.attempt)
    }

    /// Asks for another password; `nil` after the last try, for an empty line, and if there is no terminal any more.
    private func another(_ question: CredentialRequest, number: Int) async throws -> Credentials? {
        guard number <= TypedPassword.mostTries else { return nil }
        let realm = question.realm.map { " for \(quoted($0))" } ?? ""
        let prompt =
            "cumulus: \(question.origin) refused the password\(realm); password for \(PeerText.printable(user)), "
            + "try \(number) of \(TypedPassword.mostTries) (empty to stop): "
        guard let text = try await ask(prompt), !text.isEmpty else { return nil }
        return Credentials(user: user, password: Secret(text))
    }

    /// Asks on a thread that may wait; the terminal gets its settings back if the request ends in the meantime.
    private func ask(_ prompt: String) async throws -> String? {
        try Task.checkCancellation()
        let console = console
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(with: Result { try console.askPassword(prompt) })
                }
            }
        } onCancel: {
            TerminalPrompt.restore()
        }
    }
}
