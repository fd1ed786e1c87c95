// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The predecessors' negotiation: by class, by content type, by a wrong
/// content type and `Accept`, by file extension.
@Suite struct NegotiationTests {
    struct Post: Codable, Sendable, Equatable { var title: String }

    private static let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 3, 0, 0, 0, 2,
    ]

    private static let plist = "<plist version=\"1.0\"><dict><key>title</key><string>x</string></dict></plist>"

    private static func body(_ kind: String) -> [UInt8] {
        switch kind {
        case "json": Array(#"{"title":"x"}"#.utf8)
        case "plist", "xml": Array(plist.utf8)
        case "image": png
        default: Array("x".utf8)
        }
    }

    private static func name(_ content: ResponseContent) -> String {
        switch content {
        case .json: "json"
        case .text: "text"
        case .form: "form"
        case .propertyList: "plist"
        case .xml: "xml"
        case .image: "image"
        case .data: "data"
        }
    }

    private func site(_ body: [UInt8], type: String?) -> (Resource, StubTransport) {
        let transport = StubTransport { _ in .response(headers: type.map { [.contentType: $0] } ?? [:], body: body) }
        return (Resource("http://a.example", transport: transport.watched) { $0.coders.registerFormats() }, transport)
    }

    // MARK: Decoding

    @Test(
        "The response's Content-Type determines the coder",
        arguments: [
            ("json", "application/json"), ("plist", "application/xml"), ("text", "text/plain"), ("image", "image/png"),
        ]
    )
    func contentType(kind: String, type: String) async throws {
        let (site, _) = site(Self.body(kind), type: type)
        let content = try await site["decoding/content-type"].get().content
        #expect(Self.name(content) == kind)
    }

    @Test(
        "With a wrong Content-Type, the accepted type is used",
        arguments: [
            ("json", "application/json"), ("plist", "application/xml"), ("text", "text/plain"), ("image", "image/png"),
        ]
    )
    func wrongContentType(kind: String, accept: String) async throws {
        let (site, _) = site(Self.body(kind), type: "magic/teapot")
        let content = try await site["decoding/wrong-content-type"].get(headers: [.accept: accept]).content
        #expect(Self.name(content) == kind)
    }

    @Test(
        "With a wrong Content-Type, the extension is used",
        arguments: [("json", "json"), ("plist", "plist"), ("text", "txt"), ("image", "png")]
    )
    func fileExtension(kind: String, suffix: String) async throws {
        let (site, _) = site(Self.body(kind), type: "magic/teapot")
        let content = try await site["decoding/content-type.\(suffix)"].get(headers: [.accept: "audio/*"]).content
        #expect(Self.name(content) == kind)
    }

    @Test("A type is decoded with the same rules", arguments: ["application/xml", "magic/teapot", nil])
    func typed(type: String?) async throws {
        let (site, _) = site(Self.body("plist"), type: type)
        let response = try await site["post.plist"].get()
        #expect(try response.decode(as: Post.self) == Post(title: "x"))
        #expect(try await site["post.plist"].get(as: Post.self) == Post(title: "x"))
        let bare = try await site["post"].get()
        #expect(try bare.decode(as: Post.self) == Post(title: "x"), "by its first bytes")
    }

    @Test("Of the accepted types, the preferred one with a coder is used")
    func acceptedInOrder() async throws {
        let (site, _) = site(Self.body("plist"), type: "magic/teapot")
        let accept = "application/json;q=0.5, magic/kettle, application/x-plist;q=0.8, text/plain;q=0"
        #expect(try await site.get(as: Post.self, headers: [.accept: accept]) == Post(title: "x"))
    }

    @Test("A text coder is skipped if it can't make the wanted type")
    func textThatIsJSON() async throws {
        let (site, _) = site(Self.body("json"), type: "text/plain; charset=utf-8")
        #expect(try await site["a.txt"].get(as: Post.self) == Post(title: "x"))
    }

    // MARK: Encoding

    @Test("The value's class determines the coder")
    func encodingByType() async throws {
        let (site, transport) = site([], type: nil)
        _ = try await site.put(body: Data([1, 2]))
        #expect(transport.lastRequest?.headers[.contentType] == "application/octet-stream")
        _ = try await site.put(body: "x")
        #expect(transport.lastRequest?.headers[.contentType] == "text/plain; charset=utf-8")
        #expect(transport.lastRequest?.text == "x")
        _ = try await site["hero.json"].put(body: try EncodedImage(Self.png))
        #expect(transport.lastRequest?.headers[.contentType] == "image/png")
        #expect(transport.lastRequest?.body == Self.png)
    }

    @Test("The Content-Type determines the coder", arguments: ["application/json", "application/xml"])
    func encodingByContentType(type: String) async throws {
        let (site, transport) = site([], type: nil)
        site.setRules { $0.contentType = MediaType(parsing: type) }
        _ = try await site.put(body: Post(title: "x"))
        let sent = try #require(transport.lastRequest)
        #expect(sent.headers[.contentType] == type)
        #expect(sent.text.hasPrefix(type == "application/json" ? "{" : "<?xml"))
        #expect(sent.text.contains("title"))
    }

    @Test(
        "The extension determines the coder, before a setting's Content-Type and after the call's",
        arguments: [("json", "application/json"), ("plist", "application/x-plist")]
    )
    func encodingByExtension(suffix: String, type: String) async throws {
        let (site, transport) = site([], type: nil)
        _ = try await site["encoding.\(suffix)"].put(body: Post(title: "x"))
        #expect(transport.lastRequest?.headers[.contentType] == type)
        site.setRules { $0.contentType = .form }
        _ = try await site["encoding.\(suffix)"].put(body: Post(title: "x"))
        #expect(transport.lastRequest?.headers[.contentType] == type)
        #expect(transport.lastRequest?.text != "title=x", "the path says more than a setting for all")
        let form = "application/x-www-form-urlencoded"
        _ = try await site["encoding.\(suffix)"].put(body: Post(title: "x"), headers: [.contentType: form])
        #expect(transport.lastRequest?.headers[.contentType] == form)
        #expect(transport.lastRequest?.text == "title=x", "what the call says beats what a path looks like")
        _ = try await site["encoding.none"].put(body: Post(title: "x"))
        #expect(transport.lastRequest?.text == "title=x", "an extension without a coder says nothing")
    }

    @Test("A setting's Content-Type stays if it is of the extension's format")
    func encodingByBoth() async throws {
        let (site, transport) = site([], type: nil)
        site.setRules { $0.contentType = MediaType(parsing: "application/vnd.acme+json") }
        _ = try await site["encoding.json"].put(body: Post(title: "x"))
        #expect(transport.lastRequest?.headers[.contentType] == "application/vnd.acme+json")
        #expect(transport.lastRequest?.text == #"{"title":"x"}"#)
    }

    @Test("A body declared as JSON is JSON: a text becomes a JSON string")
    func textAsJSON() async throws {
        let (site, transport) = site([], type: nil)
        site.setRules { $0.contentType = .json }
        _ = try await site.post(body: "say \"hi\"")
        #expect(transport.lastRequest?.text == #""say \"hi\"""#)
        _ = try await site.post(["a"])
        #expect(transport.lastRequest?.text == #"["a"]"#)
        _ = try await site.post(body: 7)
        #expect(transport.lastRequest?.text == "7")
        _ = try await site.post(.text("{}"))
        #expect(transport.lastRequest?.text == "{}", "a text that is JSON already")
        #expect(transport.lastRequest?.headers[.contentType] == "application/json")
    }

    @Test("The Accept header asks for the coder's types")
    func accept() async throws {
        let (site, transport) = site([], type: nil)
        func accepted<Value: Decodable & Sendable>(_ path: String, _ type: Value.Type) async -> String? {
            _ = try? await site[path: path].get(as: type)
            return transport.lastRequest?.headers[.accept]
        }
        #expect(await accepted("a", Post.self) == "application/json")
        #expect(await accepted("a", Post?.self) == "application/json")
        #expect(await accepted("a.plist", Post.self)?.contains("plist") == true)
        #expect(await accepted("a", XML.self) == "application/xml, text/xml")
        #expect(await accepted("a", EncodedImage.self) == "image/*")
        #expect(await accepted("a.json", String.self) == "*/*")
    }
}
