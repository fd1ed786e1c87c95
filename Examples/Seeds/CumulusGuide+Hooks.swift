// SPDX-License-Identifier: Apache-2.0

import Cumulus

extension CumulusGuide {
    /// Who may see what.
    struct AccountController: Sendable {
        var isAuthorized: Bool
        func authorized(_ request: RequestDraft) async -> Bool { isAuthorized }
    }

    struct NotLoggedIn: Error, CustomStringConvertible {
        let description = "You need to log in to see this"
    }

    /// What proves who the user is: renewed once, when the server refuses it.
    actor RelevantData {
        private(set) var token: Secret<String> = "old"
        private var isRenewed = false

        func renew() -> Bool {
            if isRenewed { return false }
            (token, isRenewed) = ("new", true)
            return true
        }
    }

    static func basic(_ site: Resource) {
        // Original: "Authorization", username and password; 2 lines
        site.setRules { $0.credentials = .init(user: "foo", password: "bar") }
        // End
    }

    static func authorizers(of site: Resource) {
        // Original: "Authorization", site.authProviders; 1 line
        print(site.authorizers)
        // End
    }

    // Original: "Authorization", MyAuthProvider; 12 lines
    struct MyAuthorizer: Authorizer {
        let data: RelevantData

        func authorize(_ request: inout EncodedRequest) async throws {
            // modify the request to conform to your auth scheme, or fetch an auth token from here if you need to
            // This is also called any time a redirect within the origin happens
            try request.setHeader("Authorization", to: "MyScheme \(await data.token.revealed)")
        }

        func respond(to challenge: AuthorizationChallenge) async throws -> ChallengeDisposition {
            await data.renew() ? .again : .giveUp
        }
    }
    // End

    static func myAuthorizer(_ site: Resource, _ authData: RelevantData) {
        // Original: "Authorization", addAuthProvider:; 2 lines
        site.setRules { $0.authorizers.append(MyAuthorizer(data: authData)) }
        // End
    }

    static func preflight(
        _ site: Resource,
        _ accounts: AccountController,
        report: @escaping @MainActor (any Error) -> Void
    ) -> Resource {
        // Original: "Pre-verifying a Request"; 10 lines
        let myProtectedResource = site["protected"]
        myProtectedResource.setRules {
            $0.preflights.append { @MainActor request in  // as in the original, it may touch the screen
                if await !accounts.authorized(request) {
                    report(NotLoggedIn())
                    throw NotLoggedIn()
                }
            }
        }
        // End
        return myProtectedResource
    }
}
