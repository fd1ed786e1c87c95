// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// The code of the guide's page on raw requests.
enum RawRequests {
    static func raw(_ site: Resource, at authority: String) async throws -> [Response] {
        // snippet.raw
        let request = HTTPRequest(
            method: .get,
            url: "http://\(authority)/posts?limit=1",
            headers: ["Accept": "application/json"]
        )
        let alone = try await REST.send(request)
        let withSettings = try await site.send(request)  // site's settings, under the request's own fields
        // snippet.end
        return [alone, withSettings]
    }

    static func rawStream(_ site: Resource) async throws {
        // snippet.raw-stream
        let (questions, ask) = AsyncStream.makeStream(of: [UInt8].self)
        ask.yield(Array("first".utf8))
        let request = HTTPRequest(method: .post, url: "https://api.example.com/chat")
        let answers = try await site.send(request, body: .stream(questions), as: ResponseStream.self)
        for try await piece in answers {
            print(String(decoding: piece.bytes, as: UTF8.self))
            ask.yield(Array("next".utf8))  // the request's body continues; ask.finish() ends it
        }
        // snippet.end
    }

    static func rawNamed(_ site: Resource, listing: [UInt8]) async throws {
        // snippet.named
        let found = try await site["docs"].request("PROPFIND", headers: ["Depth": "1"])
        try await site["docs/a.txt"].upload(file: "a.txt", as: Void.self, method: "PATCH")
        let raw = HTTPRequest(method: "REPORT", url: "https://api.example.com/docs")
        let text = try await site.send(raw, body: .bytes(ByteChunk(listing)), as: String.self)
        // snippet.end
        print(found, text)
    }
}
