// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Methods written as texts, wherever a method is taken.
@Suite(.timeLimit(.minutes(10))) struct GuessedMethodTests {
    /// Answers which method it was asked by.
    private let transport = StubTransport { request in .text(request.method.rawValue) }
    private var site: Resource { Resource("https://api.example.com", transport: transport) }

    @Test func aMethodOfOnesOwnIsMadeFromItsName() async throws {
        let method = try #require(HTTPRequest.Method("PROPFIND"))
        #expect(try await site.call(method).send().text == "PROPFIND")
        #expect(try await site.call(method, .text("x"), as: String.self).send() == "PROPFIND")
        #expect(try await site.call(method).curl().contains("PROPFIND"))
        let raw = HTTPRequest(method: "PROPFIND", url: "https://api.example.com/x")
        #expect(try await site.call(raw).send().text == "PROPFIND")
    }

    @Test(arguments: ["NO TOKEN", "", "É", "GET\r\nX: y"]) func oneThatIsNoTokenIsRefused(name: String) async throws {
        #expect(HTTPRequest.Method(name) == nil)
        let raw = site.call(HTTPRequest(method: name, url: "https://api.example.com/x"))
        let tries: [() async throws -> Void] = [
            { _ = try await raw.send() }, { _ = try await raw.stream() }, { _ = try await raw.curl() },
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
        let find = try #require(HTTPRequest.Method("PROPFIND"))
        #expect(try await site.call(find, as: String.self).send() == "first")
        #expect(try await site.call(find, as: String.self).send() == "then")
        #expect(try await site.call(try #require(HTTPRequest.Method("MKCOL"))).send().status == .created)
    }
}
