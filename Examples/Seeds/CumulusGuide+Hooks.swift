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

    static func basic(_ site: Resource) {
        // Original: "Authorization", username and password; 2 lines
        site.credentials = .init(user: "foo", password: "bar")
        // End
    }

    static func authorizers(of site: Resource) {
        // Original: "Authorization", site.authProviders; 1 line
        print(site.authorizers)
        // End
    }

    // Original: "Authorization", MyAuthProvider; 12 lines
    struct MyAuthorizer: Authorizer {
        let data: Secret<String>

        func authorize(_ request: inout EncodedRequest) async throws {
            // modify the request to conform to your auth scheme, adding headers, changing the path, or anything else
            // You can even go and fetch something else, like an auth token, from here if you need to
            try request.setHeader("Authorization", to: "MyScheme \(data.revealed)")
        }

        func answer(_ challenge: AuthorizationChallenge) async throws -> ChallengeAnswer {
            // renew what proves who you are any way you want, sky's the limit; or give up
            .giveUp
        }
    }
    // End

    static func myAuthorizer(_ site: Resource, _ authData: Secret<String>) {
        // Original: "Authorization", addAuthProvider:; 2 lines
        site.authorizers.append(MyAuthorizer(data: authData))
        // End
    }

    static func preflight(
        _ site: Resource,
        _ accounts: AccountController,
        report: @escaping @Sendable (any Error) -> Void
    ) -> Resource {
        // Original: "Pre-verifying a Request"; 10 lines
        let myProtectedResource = site["protected"]
        myProtectedResource.preflights.append { request in
            if await !accounts.authorized(request) {
                report(NotLoggedIn())
                throw NotLoggedIn()
            }
        }
        // End
        return myProtectedResource
    }
}
