// SPDX-License-Identifier: Apache-2.0

import Cumulus

func raw(_ site: Resource, at authority: String) async throws -> [Response] {
    // snippet.raw
    let request = HTTPRequest(
        method: .get,
        url: "http://\(authority)/posts?limit=1",
        headers: ["Accept": "application/json"]
    )
    let alone = try await REST.send(request)
    let withSettings = try await site.send(request)  // site's settings beneath the request's own fields
    // snippet.end
    return [alone, withSettings]
}

func rawStream(_ site: Resource, chunks: AsyncStream<[UInt8]>) async throws {
    // snippet.raw-stream
    let request = HTTPRequest(method: .post, url: "https://api.example.com/echo")
    let answer = try await site.bytes(of: request, body: .stream(chunks))
    for try await piece in answer { print(piece.count) }  // while the chunks are still sent
    // snippet.end
}
