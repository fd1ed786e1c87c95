// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// Coders for a pattern of media types.
@Suite struct MediaTypePatternTests {
    @Test(
        "a star matches any characters",
        arguments: [
            ("application/vnd.acme.*+json", "application/vnd.acme.user+json", true),
            ("application/vnd.acme.*+json", "application/vnd.other.user+json", false),
            ("application/vnd.acme.*+json", "application/vnd.acme.json", false),
            ("*/csv", "text/csv", true), ("*json*", "application/x-json-lines", true), ("*json*", "text/xml", false),
            ("text/*-*-*", "text/a-b-c", true), ("text/*-*-*", "text/a-b", false), ("a*a", "a", false),
            ("text/x*", "text/x", true),
        ]
    )
    func matching(pattern: String, name: String, expected: Bool) throws {
        #expect(try #require(MediaTypePattern(pattern)).matches(name) == expected)
    }

    @Test("full names, suffixes and ranges are not patterns", arguments: ["text/csv", "+json", "image/*", "*/*"])
    func noPattern(name: String) { #expect(MediaTypePattern(name) == nil) }

    @Test("a pattern is tried after the full name and before the suffix; the last one wins; layers inherit")
    func order() async throws {
        let transport = StubTransport { request in
            let name = request.path.dropFirst().replacing("_", with: "/")
            return .response(headers: [.contentType: String(name)], body: Array("7".utf8))
        }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.coders.register(Fixed(1), forMediaTypes: "application/vnd.acme.*")
        }
        let child = site["application_vnd.acme.user+json"]
        #expect(try await child.get(as: Int.self) == 1)
        child.setRules { $0.coders.register(Fixed(2), forMediaTypes: "*acme*") }
        #expect(try await child.get(as: Int.self) == 2)
        child.setRules { $0.coders.register(Fixed(3), forMediaTypes: "application/vnd.acme.user+json") }
        #expect(try await child.get(as: Int.self) == 3)
        // A later registration on the parent is inherited live, and the child's own takes precedence.
        site.setRules { $0.coders.register(Fixed(4), forMediaTypes: "application/vnd.a*") }
        #expect(try await site["application_vnd.acme.x+json"].get(as: Int.self) == 4)
        #expect(try await site["application_vnd.other+json"].get(as: Int.self) == 7)
    }

    private struct Fixed: BodyCoder {
        let value: Int
        var mediaType: MediaType { .json }

        init(_ value: Int) { self.value = value }

        func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk { .empty }

        func decode<Value: Decodable>(
            _ type: Value.Type,
            from bytes: ByteChunk,
            of mediaType: MediaType?
        ) throws -> Value {
            guard let value = value as? Value else { throw CodingProblem("no number") }
            return value
        }
    }
}
