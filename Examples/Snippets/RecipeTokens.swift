// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusOAuth

// snippet.renew
struct SignIn: Decodable, Sendable {
    var token: String
    var seconds: Int
}

/// A copy that sends a token with every request, and replaces an expired one: once, for all waiting requests.
func sendingTokens(to site: Resource, key: Secret<String>) -> Resource {
    site.with {
        $0.authorizers.append(
            .bearer(refreshing: { _ in
                let response = try await site["sign-in"].post(["key": key.revealed], as: SignIn.self)
                return BearerToken(response.token, lifetime: .seconds(response.seconds))
            })
        )
    }
}
// snippet.end

func titles(of ids: [Int], at site: Resource) async throws -> Set<String> {
    try await withThrowingTaskGroup(of: String.self) { group in
        for id in ids { group.addTask { try await site["notes"][id].get(as: String.self) } }
        return try await group.reduce(into: []) { $0.insert($1) }
    }
}
