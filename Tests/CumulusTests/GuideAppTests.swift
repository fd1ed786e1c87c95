// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import Foundation
import Testing

@testable import GuideSnippets

// snippet.test
@Suite struct LibraryTests {
    @Test func titlesAreReadFromTheService() async throws {
        let transport = StubTransport { routes in
            routes.on(.get, "/authors/:name/books", .json(["Notes"]))
        }
        let library = Library(site: Resource("https://library.example", transport: transport))
        #expect(try await library.titles(by: "Ada Lovelace") == ["Notes"])
        #expect(transport.lastRequest?.path == "/authors/Ada%20Lovelace/books")
    }
}
// snippet.end

/// Code of the guide that needs no server.
@Suite struct GuideAppTests {
    private func site(_ transport: StubTransport) -> Resource {
        Resource("https://api.example.com", transport: transport)
    }

    @Test func graphQLReturnsDataOrThrowsTheServiceError() async throws {
        let transport = StubTransport { routes in
            routes.on(
                .post,
                "/graphql",
                .json(#"{"data":{"repository":{"stargazerCount":7}}}"#),
                .json(#"{"data":{"repository":null},"errors":[{"message":"?","extensions":{"code":"NOT_FOUND"}}]}"#),
                .json(#"{"data":null,"errors":[{"message":"?","extensions":{"code":"FORBIDDEN"}}]}"#)
            )
        }
        #expect(try await stars(of: "atlas", by: "ada", at: site(transport)) == 7)
        let sent = try JSON(parsing: transport.lastRequest?.text ?? "")
        #expect(sent["variables"] == ["owner": "ada", "name": "atlas"])
        #expect(try await stars(of: "atlas", by: "ada", at: site(transport)) == nil)
        await #expect(throws: CumulusError.self) { try await stars(of: "atlas", by: "ada", at: site(transport)) }
    }

    @Test func aCreatedResourceIsReadFromItsLocation() async throws {
        let transport = StubTransport { routes in
            routes.on(.post, "/posts", .status(.created, headers: ["Location": "/posts/7"]))
            routes.on(.get, "/posts/7", .json(#"{"title":"Clouds"}"#))
        }
        #expect(try await creating(at: site(transport))?["title"].string == "Clouds")
    }

    @Test func aStubRespondsToWhatItReceived() async throws {
        let site = site(stubWithClosures())
        let order = try await site["orders"].post(["item": "anvil"], as: JSON.self)
        #expect(order["item"].string == "anvil" && order["id"].int == 7)
        #expect(try await site["search"].get(as: String.self, query: ["q": "high clouds"]) == "high clouds")
    }

    @Test func aStubSendsEvents() async throws { try await stubOfEvents() }

    @Test func aChangedDocumentIsNotOverwritten() async throws {
        let transport = StubTransport { routes in
            routes.on(.get, "/post", .json(#"{"title":"Clouds"}"#, headers: ["ETag": "\"r2\""]))
            routes.on(.put, "/post", .status(.preconditionFailed))
        }
        try await overwrite(site(transport)["post"], Draft(title: "Rain"))
        #expect(transport.requests.map { $0.headers[.ifMatch] } == [nil, "\"r2\""])
    }

    @Test func aRefreshTokenOutlivesItsAuthorizer() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-guide-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let transport = StubTransport { routes in
            routes.on(.post, "/tokens") { request in
                let code = try request.json["code"].string ?? ""
                return .json(["access": "a-\(code)", "refresh": "r-\(code)", "seconds": 3_600])
            }
            routes.on(.get, "/posts") { request in .text(request.headers[.authorization] ?? "none") }
        }
        let file = folder.appending(path: "token.json").path
        for _ in 0..<2 {
            let posts = api(site(transport), code: "c1", tokenFile: file)["posts"]
            #expect(try await posts.get(as: String.self).hasPrefix("Bearer a-"))
        }
        #expect(transport.requests.count { $0.text.contains(#""c1""#) } == 1)
    }

    @Test func datesOfTwoFormatsAreRead() async throws {
        let transport = StubTransport { routes in
            routes.on(.get, "/dates", .json(#"["1970-01-02","1970-01-01T00:01:00Z"]"#), .json(#"["soon"]"#))
        }
        let site = site(transport)
        customDates(site: site)
        let dates = try await site["dates"].get(as: [Date].self)
        #expect(dates.map(\.timeIntervalSince1970) == [86_400, 60])
        await #expect(throws: CumulusError.self) { try await site["dates"].get(as: [Date].self) }
    }
}
