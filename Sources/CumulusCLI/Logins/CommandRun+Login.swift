// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusOAuth
import CumulusPrimitives
import Synchronization

extension CommandRun {
    /// Signs in, and stores the login for later runs.
    func login(_ plan: LoginPlan, _ login: SavedLogin) async throws -> CommandStatus {
        try await withTransport(try completed(plan.request)) { transport in
            let failure = Mutex<(any Error)?>(nil)
            let authorizer = login.authorizer(
                grant(plan, login),
                store: plan.folder.store(for: plan.origin),
                onEvent: { event in
                    if case .notStored(let error) = event { failure.withLock { $0 = error } }
                }
            )
            let draft = try await RequestBuilder(plan.request, console: console, renewals: renewals).build(
                over: transport
            )
            try await authorizer.logIn(for: draft.resource)
            if let error = failure.withLock(\.self) { throw error }
            try plan.folder.keep(login)
            console.note("cumulus: signed in; requests to \(plan.origin) send the token from now on")
            return .success
        }
    }

    /// Removes a login, and revokes its tokens.
    func logout(_ plan: LoginPlan) async throws -> CommandStatus {
        guard let login = try plan.folder.login(for: plan.origin) else {
            throw UsageMistake("you are not signed in to \(plan.origin)", hint: "see cumulus login --help")
        }
        return try await withTransport(try completed(plan.request)) { transport in
            let draft = try await RequestBuilder(plan.request, console: console, renewals: renewals).build(
                over: transport
            )
            let store = plan.folder.store(for: plan.origin)
            do {
                try await login.authorizer(store: store).logOut(for: draft.resource)
            } catch {
                // Removed regardless of the server's response.
                try plan.folder.forget(plan.origin)
                throw error
            }
            try plan.folder.forget(plan.origin)
            console.note("cumulus: signed out of \(plan.origin)")
            return .success
        }
    }

    private func grant(_ plan: LoginPlan, _ login: SavedLogin) -> OAuth2Grant {
        let console = console
        switch plan.grant {
        case .client: return .clientCredentials(login.client)
        case .code:
            return .authorizationCode(client: login.client, receiver: LoopbackReceiver()) { url in
                // Whole, however long: it has to be opened.
                console.note("cumulus: open this URL to sign in:\n\(PeerText.printable(url, limit: .max))")
            }
        case .device:
            return .deviceCode(client: login.client) { prompt in
                console.note("cumulus: open \(prompt.url) and type \(prompt.code)")
                if let url = prompt.completeURL { console.note("cumulus: or open \(url)") }
            }
        }
    }
}
