// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// How a tree's coders result from those of its layers, and which of several is used.
@Suite struct CoderRegistryTests {
    struct Wish: Codable, Sendable, Equatable { var text: String }

    /// Values as their text with a mark before it, which shows the coder that was used.
    struct MarkCoder: BodyCoder {
        var mark: String
        var mediaType: MediaType { "text/wish" }
        func encode(_ value: any Encodable & Sendable, as mediaType: MediaType?) throws -> ByteChunk {
            ByteChunk("\(mark):\((value as? Wish)?.text ?? "?")")
        }
        func decode<Value: Decodable>(_ type: Value.Type, from bytes: ByteChunk, of mediaType: MediaType?) throws
            -> Value
        {
            guard let wish = Wish(text: mark) as? Value else { throw CodingProblem("no wish") }
            return wish
        }
    }

    private let transport = StubTransport { _ in .response(headers: [.contentType: "text/wish"], body: [0x78]) }

    private var site: Resource { Resource("http://a.example", transport: transport.watched) }

    private func mark(_ resource: Resource) async throws -> String { try await resource.get(as: Wish.self).text }

    @Test func aChildsRegistrationLeavesTheParentAlone() async throws {
        let site = site
        site.setRules { $0.coders.register(MarkCoder(mark: "root"), forMediaTypes: "text/wish") }
        let child = site["a"]
        child.setRules { $0.coders.register(MarkCoder(mark: "child"), forMediaTypes: "text/wish") }
        #expect(try await mark(child) == "child")
        #expect(try await mark(child["b"]) == "child")
        #expect(try await mark(site) == "root")
        child.setRules { $0.inherit(\.coders) }
        #expect(try await mark(child) == "root")
    }

    @Test func whatAParentIsGivenLaterShowsInAChildThatHasCodersOfItsOwn() async throws {
        let site = site
        let child = site["a"]
        child.setRules { $0.coders.register(MarkCoder(mark: "other"), forMediaTypes: "text/other") }
        site.setRules { $0.coders.register(MarkCoder(mark: "late"), forMediaTypes: "text/wish") }
        #expect(try await mark(child) == "late")
        site.setRules { $0.coders.register(MarkCoder(mark: "later"), forMediaTypes: "text/wish") }
        #expect(try await mark(child) == "later")
    }

    @Test func theLastRegistrationWins() async throws {
        let site = site
        site.setRules {
            $0.coders.register(MarkCoder(mark: "first"), forMediaTypes: "text/wish")
            $0.coders.register(MarkCoder(mark: "second"), forMediaTypes: "TEXT/Wish")
        }
        #expect(try await mark(site) == "second")
    }

    @Test func oneRequestCanHaveACoderOfItsOwn() async throws {
        let site = site
        site.setRules { $0.coders.register(MarkCoder(mark: "root"), forMediaTypes: "text/wish") }
        let once = site.with { $0.coders.register(MarkCoder(mark: "once"), for: Wish.self) }
        #expect(try await mark(once) == "once")
        #expect(try await mark(site) == "root")
        let response = try await site.get()
        #expect(try response.decode(as: Wish.self, using: MarkCoder(mark: "given")).text == "given")
    }

    @Test func aPayloadCanBringItsCoder() async throws {
        let site = site
        site.setRules { $0.contentType = .json }
        _ = try await site.post(.value(Wish(text: "x"), using: MarkCoder(mark: "given")))
        #expect(transport.lastRequest?.text == "given:x")
        #expect(transport.lastRequest?.headers[.contentType] == "text/wish")
        _ = try await site.post(.value(Wish(text: "x"), using: MarkCoder(mark: "given"), as: "text/other"))
        #expect(transport.lastRequest?.headers[.contentType] == "text/other")
    }

    @Test func aRegistryOfYourOwnTakesThePlaceOfWhatIsInherited() async throws {
        let site = site
        site.setRules { $0.coders.register(MarkCoder(mark: "root"), forMediaTypes: "text/wish") }
        let child = site["a"]
        child.setRules {
            $0.coders = CoderRegistry()
            $0.coders.register(MarkCoder(mark: "own"), forMediaTypes: "text/other")
        }
        await #expect(throws: CumulusError.self) { try await mark(child) }
    }

    @Test func aRegistryReadElsewhereIsWrittenWhole() async throws {
        let (site, other) = (site, Resource("http://b.example", transport: transport.watched))
        site.setRules { $0.coders.register(MarkCoder(mark: "root"), forMediaTypes: "text/wish") }
        other.setRules { $0.coders = site.coders }
        #expect(try await mark(other) == "root")
    }

    @Test func severalCanBeRegisteredAtOnce() async throws {
        let site = site
        site.setRules {
            $0.coders.register(
                MarkCoder(mark: "x"),
                for: [Wish.self],
                mediaTypes: ["text/*"],
                fileExtensions: [".wish"]
            )
        }
        #expect(try await mark(site["a"]) == "x")
        #expect(site.explain(\.coders).description.contains(".wish"))
    }

    @Test(
        "The more specific name is used, whatever was registered last",
        arguments: [
            (["*/*", "text/*", "+wish", "text/a+wish"], "text/a+wish"),
            (["text/a+wish", "+wish", "text/*", "*/*"], "text/a+wish"),
            (["*/*", "text/*", "+wish"], "+wish"),
            (["+wish", "text/*", "*/*"], "+wish"),
            (["text/*", "*/*"], "text/*"),
            (["*/*"], "*/*"),
        ]
    )
    func exactness(names: [String], expected: String) async throws {
        let transport = StubTransport { _ in .response(headers: [.contentType: "text/a+wish"], body: [0x78]) }
        let site = Resource("http://a.example", transport: transport.watched)
        for name in names { site.setRules { $0.coders.register(MarkCoder(mark: name), forMediaTypes: name) } }
        #expect(try await mark(site) == expected)
    }
}
