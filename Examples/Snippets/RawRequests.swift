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
        let withSettings = try await site.call(request).send()  // site's settings; the request's own fields win
        // snippet.end
        return [withSettings]
    }

    static func rawStream(_ site: Resource) async throws {
        // snippet.raw-stream
        let (questions, ask) = AsyncStream.makeStream(of: [UInt8].self)
        ask.yield(Array("first".utf8))
        let request = HTTPRequest(method: .post, url: "https://api.example.com/chat")
        let answers = try await site.call(request, .raw(.stream(questions))).stream()
        for try await piece in answers {
            print(String(decoding: piece.bytes, as: UTF8.self))
            ask.yield(Array("next".utf8))  // the request's body continues; ask.finish() ends it
        }
        // snippet.end
    }

    static func rawNamed(_ site: Resource, listing: [UInt8]) async throws {
        // snippet.named
        guard let propfind = HTTPRequest.Method("PROPFIND") else { return }
        let found = try await site["docs"].call(propfind, headers: ["Depth": "1"]).send()
        try await site["docs/a.txt"].patch(.file("a.txt")).requireSuccess()
        let raw = HTTPRequest(method: "REPORT", url: "https://api.example.com/docs")
        let text = try await site.call(raw, .bytes(listing)).send().requireSuccess().text
        // snippet.end
        print(found, text ?? "")
    }
}
