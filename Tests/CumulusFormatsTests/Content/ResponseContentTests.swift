// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// A body in the form of its media type, without a Swift type.
@Suite struct ResponseContentTests {
    private func response(_ body: [UInt8], _ type: String?, path: String = "a") async throws -> Response {
        let transport = StubTransport { _ in .response(headers: type.map { [.contentType: $0] } ?? [:], body: body) }
        return try await Resource("http://a.example", transport: transport.watched)[path: path].get()
    }

    private func content(_ body: String, _ type: String?, path: String = "a") async throws -> ResponseContent {
        try await response(Array(body.utf8), type, path: path).content
    }

    @Test func theMediaTypeDecides() async throws {
        #expect(try await content("[1]", "application/vnd.x+json") == .json([1]))
        #expect(try await content("[1]", "text/plain") == .text("[1]"))
        #expect(try await content("a=1&b=2", "application/x-www-form-urlencoded") == .form(["a": "1", "b": "2"]))
        #expect(try await content("<a>x</a>", "text/xml") == .xml(XML("a", text: "x")))
        #expect(try await content("<svg/>", "image/svg+xml") == .xml(XML("svg")))
        #expect(try await content("<html>", "text/html") == .text("<html>"))
        #expect(try await content("x", "text/plain; charset=nonsense") == .text("x"))
        #expect(try await content("1\n2\n", "application/x-ndjson") == .json([1, 2]))
        #expect(try await content("<plist><array/></plist>", "text/xml") == .propertyList([]))
        #expect(try await content("x", "application/pdf") == .data(Data("x".utf8)))
        #expect(try await content("x", "image/x-icon") == .data(Data("x".utf8)))
    }

    @Test(
        arguments: [
            ("{", "application/json"), ("<a>", "application/xml"), ("x", "image/png"), ("<a/>", "application/x-plist"),
            ("1\n{", "application/jsonl"),
        ]
    )
    func whatIsNotWhatItIsCalledIsAnError(body: String, type: String) async throws {
        let response = try await response(Array(body.utf8), type)
        let error = #expect(throws: CumulusError.self) { try response.content }
        #expect(error?.code == .decoding)
    }

    @Test func withoutATypeTheExtensionAndThenTheFirstBytesDecide() async throws {
        #expect(try await content("7", nil, path: "a.json") == .json(7))
        #expect(try await content(" {\"a\":1}", nil) == .json(["a": 1]))
        #expect(try await content("{no json", nil) == .text("{no json"))
        #expect(try await content("<?xml version=\"1.0\"?><a/>", nil) == .xml(XML("a")))
        #expect(try await content("plain", nil) == .text("plain"))
        #expect(try await response([0, 1, 2], nil).content == .data(Data([0, 1, 2])))
        let gif = Array("GIF89a".utf8) + [2, 0, 3, 0]
        #expect(try await response(gif, "magic/teapot").content == .image(EncodedImage(gif)))
        #expect(try await response(gif, "application/octet-stream").content == .data(Data(gif)))
    }

    @Test func nothingIsNoContent() async throws {
        #expect(try await content("", "application/json") == .data(Data()))
    }
}
