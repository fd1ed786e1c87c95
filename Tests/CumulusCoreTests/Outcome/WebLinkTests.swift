// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Links of `Link` fields (RFC 8288), with greenbytes' cases (greenbytes.de/tech/tc/httplink) and ours.
@Suite struct WebLinkTests {
    private static let vectors: JSON? = {
        let folder = ProcessInfo.processInfo.environment["CUMULUS_VECTORS"] ?? "../shared/vectors"
        return (try? Data(contentsOf: URL(filePath: "\(folder)/link-header/httplink.json"))).flatMap {
            try? JSON(parsing: $0)
        }
    }()

    private func response(
        _ fields: [String],
        at url: String = "http://base.example.com/test.html"
    ) async throws -> Response {
        var headers = Headers()
        for field in fields { headers.add(field, for: "Link") }
        let answer = StubResponse.status(.ok, headers: headers)
        return try await Resource(url, transport: StubTransport(answering: { _ in answer }).watched).get()
    }

    @Test(.enabled(if: WebLinkTests.vectors != nil, "the vectors are not there"))
    func linksAreReadAsTheCasesSay() async throws {
        let cases = try #require(WebLinkTests.vectors?["cases"].array)
        #expect(cases.count == 27)
        for example in cases {
            let header = try #require(example["header"].string)
            let links = try await response([header]).links
            let expected = try #require(example["links"].array)
            #expect(links.map(\.target) == expected.map { $0[0].string }, "\(header)")
            for (link, wanted) in zip(links, expected) {
                for (name, value) in wanted[1].object ?? [:] { #expect(link[name] == value.string, "\(header)") }
            }
        }
    }

    @Test func relationsLeadOn() async throws {
        let field = #"</posts?page=2>; rel="next"; title="More", <https://other.example/>; rel="Prev last""#
        let response = try await response([field, "<x>; rel=up"], at: "http://a.example/posts")
        #expect(response.links.count == 3)
        #expect(response.links["next"]?.url?.description == "http://a.example/posts?page=2")
        #expect(response.links["NEXT"]?.title == "More")
        #expect(response.links["prev"]?.target == "https://other.example/")
        #expect(response.links["last"] == response.links["prev"])
        #expect(response.links["up"]?.url?.path == "/x")
        #expect(response.links["first"] == nil)
        let next = try #require(response.links["next"])
        let site = Resource("http://a.example", transport: StubTransport { _ in .text("") }.watched)
        #expect(site.follow(next).urlString == "http://a.example/posts?page=2")
    }

    @Test func aLinkThatStartsElsewhereIsNoneOfTheResponse() async throws {
        let fields = [#"</evil>; rel=next; anchor="http://other.example/""#, ##"</part>; rel=next; anchor="#p""##]
        let elsewhere = try await response(fields)
        #expect(elsewhere.links.count == 2)
        #expect(elsewhere.links["next"] == nil)
        let own = try await response([#"</2>; rel=next; anchor="""#])
        #expect(own.links["next"]?.target == "/2")
    }

    @Test(arguments: [
        "", ",", "<", "<>", "<a", "x", "<a>;", "<a>; =", "<a>; rel", "<a>; rel=\"", "<a>; rel=\"\\", "<a>; rel=\u{301}",
        "<\u{301}>; rel=next", "<a>; title*=UTF-8''%C3%28", "<mailto:a@b>; rel=author",
    ])
    func malformedFieldsHarmNobody(field: String) async throws {
        let links = try await response([field.replacingOccurrences(of: "\\u{0}", with: "")]).links
        #expect(links.count <= 1)
        for link in links { #expect(!link.description.contains("\r")) }
    }

    @Test func aLongFieldIsReadInItsTime() async throws {
        let field = Array(repeating: #"<a>; rel=next; x="\"""#, count: 2000).joined(separator: ", ")
        #expect(try await response([field]).links.count == 2000)
    }
}
