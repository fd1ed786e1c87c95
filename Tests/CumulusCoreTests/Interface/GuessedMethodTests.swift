// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import Testing

/// Methods written as texts, wherever a method is taken.
@Suite(.timeLimit(.minutes(10))) struct GuessedMethodTests {
    /// Answers which method it was asked by.
    private let transport = StubTransport { request in .text(request.method.rawValue) }
    private var site: Resource { Resource("https://api.example.com", transport: transport) }

    @Test func anUploadTakesAName() async throws {
        let file = try TemporaryFile([1, 2])
        let site = site
        #expect(try await site.upload(.bytes([1] as [UInt8]), method: "PATCH").text == "PATCH")
        #expect(try await site.upload(.bytes([1] as [UInt8]), as: String.self, method: "PATCH") == "PATCH")
        try await site.upload(.bytes([1] as [UInt8]), as: Void.self, method: "MERGE")
        #expect(try await site.upload(file: file.path, method: "APPEND").text == "APPEND")
        #expect(try await site.upload(file: file.path, as: String.self, method: "APPEND") == "APPEND")
        try await site.upload(file: file.path, as: Void.self, method: "MERGE")
        #expect(transport.lastRequest?.method.rawValue == "MERGE")
        let payload = Payload.file(file.path)
        #expect(try await site.prepareUpload(payload, method: "PATCH").send().text == "PATCH")
        #expect(try await site.prepareUpload(payload, as: String.self, method: "PATCH").send() == "PATCH")
        try await site.prepareUpload(payload, as: Void.self, method: "PATCH").send()
        #expect(transport.requests.count == 9)
    }

    @Test func conversionsCommandsAndRawRequestsTakeOne() async throws {
        let lengths = site.converting(String.self) { text, _ in text.utf8.count }
        #expect(try await lengths.request("PROPFIND") == 8)
        #expect(try await lengths.prepare("MKCOL").send() == 5)
        #expect(try await site.curl("PROPFIND").contains("PROPFIND"))
        let raw = HTTPRequest(method: "PROPFIND", url: "https://api.example.com/x")
        #expect(try await site.send(raw, as: String.self) == "PROPFIND")
        try await site.send(raw, as: Void.self)
    }

    @Test(arguments: ["NO TOKEN", "", "É", "GET\r\nX: y"]) func oneThatIsNoTokenThrows(name: String) async throws {
        let site = site
        let raw = HTTPRequest(method: name, url: "https://api.example.com/x")
        let tries: [() async throws -> Void] = [
            { _ = try await site.upload(.text("x"), method: name) },
            { _ = try await site.upload(file: "/nowhere", method: name) },
            { _ = try await site.prepareUpload(.text("x"), method: name).send() },
            { _ = try await site.converting(String.self) { text, _ in text }.request(name) },
            { _ = try await site.curl(name) },
            { _ = try await site.presignedURL(name, for: .seconds(60)) },
            { _ = try await site.send(raw) },
            { _ = try await site.send(raw, as: ResponseStream.self) },
        ]
        for attempt in tries {
            let error = try await failure { try await attempt() }
            #expect(error.code == .invalidRequest)
            #expect(!"\(error)".contains("\r"))
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func aStubsRoutesTakeOne() async throws {
        let stub = StubTransport { routes in
            routes.on("NO TOKEN", "*", .text("never"))
            routes.on("PROPFIND", "/a", .text("first"), .text("then"))
            routes.on("MKCOL", "/a") { _ in .status(.created) }
        }
        let site = Resource("https://api.example.com/a", transport: stub)
        #expect(try await site.request("PROPFIND", as: String.self) == "first")
        #expect(try await site.request("PROPFIND", as: String.self) == "then")
        #expect(try await site.request("MKCOL").status == .created)
    }
}
