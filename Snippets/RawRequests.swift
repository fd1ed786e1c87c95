// SPDX-License-Identifier: Apache-2.0

import Cumulus

func raw(_ site: Resource, at authority: String) async throws -> [Response] {
    // snippet.raw
    let request = HTTPRequest(
        method: .get,
        scheme: "http",
        authority: authority,
        path: "/posts?limit=1",
        headerFields: [.accept: "application/json"]
    )
    let alone = try await REST.send(request)
    let withSettings = try await site.send(request)  // site's settings beneath the request's own fields
    // snippet.end
    return [alone, withSettings]
}
