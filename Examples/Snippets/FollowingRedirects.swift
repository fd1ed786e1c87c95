// SPDX-License-Identifier: Apache-2.0

import Cumulus

func redirects(site: Resource) async throws {
    // snippet.history
    let response = try await site["old"].get()
    for redirect in response.history {
        print(redirect.status.code, redirect.request.redactedURL)
    }
    print("arrived at \(response.request.redactedURL)")
    // snippet.end

    // snippet.policy
    site.setRules { $0.redirects = .none }  // a redirect is delivered like any other response
    let mirror = site["mirror"]
    mirror.setRules { $0.redirects = RedirectPolicy(limit: 5) }
    // snippet.end
}
