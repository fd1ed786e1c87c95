// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// What a program is told that did not register the coders.
@Suite(.timeLimit(.minutes(10))) struct MissingCoderTests {
    private struct Post: Codable, Sendable, Equatable { var title = "x" }

    private static let hint = "registerFormats()"

    private func site(_ body: String, type: String?) -> Resource {
        let transport = StubTransport { _ in
            .response(headers: type.map { [.contentType: $0] } ?? [:], body: Array(body.utf8))
        }
        return Resource("http://a.example", transport: transport.watched)
    }

    @Test(
        "a body in XML or a property list is an error that says where the coders are",
        arguments: ["application/xml", "text/xml", "application/atom+xml", "application/x-plist", nil]
    )
    func bodies(type: String?) async throws {
        let site = site("<?xml version=\"1.0\"?><plist><dict/></plist>", type: type)
        let error = try await failure { try await site.get(as: XML.self) }
        #expect(error.code == .decoding && error.message.contains(Self.hint), "\(error)")
        guard type != nil else { return }
        let other = try await failure { try await site.get(as: Post.self) }
        #expect(other.code == .decoding && other.message.contains(Self.hint), "\(other)")
        #expect(other.message.contains("CumulusFormats"))
    }

    @Test("a tree is never sent as JSON") func trees() async throws {
        let site = site("", type: nil)
        for error in [
            try await failure { try await site.post(body: XML("a")) },
            try await failure { try await site.post(body: ["a": 1] as PropertyList) },
            try await failure { try await site.post(.value(Post(), as: .xml)) },
        ] {
            #expect(error.code == .encoding && error.message.contains(Self.hint), "\(error)")
        }
    }

    @Test("nor if all is declared as JSON") func declared() async throws {
        let site = site("", type: nil)
        site.setRules { $0.headers["Content-Type"] = "application/json" }
        let error = try await failure { try await site.post(body: XML("a")) }
        #expect(error.code == .encoding && error.message.contains(Self.hint), "\(error)")
    }

    @Test("what only sounds like a property list is read as what it is")
    func soundsAlike() async throws {
        let site = site("{\"title\": \"y\"}", type: "application/vnd.acme.shoplist")
        #expect(try await site.get(as: Post.self) == Post(title: "y"))
    }

    @Test("without a type, too, XML is not taken for JSON") func unlabeled() async throws {
        let site = site("<?xml version=\"1.0\"?><a/>", type: nil)
        let error = try await failure { try await site.get(as: Post.self) }
        #expect(error.code == .decoding && error.message.contains(Self.hint), "\(error)")
    }

    @Test("a coder of one's own is enough") func own() async throws {
        let site = site("<a/>", type: "application/xml")
        site.setRules { $0.coders.register(PropertyListCoder(), forMediaTypes: "application/xml") }
        let error = try await failure { try await site.get(as: Post.self) }
        #expect(!error.message.contains(Self.hint))
    }

    @Test("registered, all is read and written") func registered() async throws {
        let site = site("<a>b</a>", type: "text/xml")
        site.setRules { $0.coders.registerFormats() }
        #expect(try await site.get(as: XML.self) == XML("a", text: "b"))
        #expect(try await site.post(body: XML("a")).content == .xml(XML("a", text: "b")))
    }
}
