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
