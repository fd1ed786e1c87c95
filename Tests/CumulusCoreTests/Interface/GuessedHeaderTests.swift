// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// One vocabulary for header fields: by their names as text, wherever there are some.
@Suite struct GuessedHeaderTests {
    private struct Stamping: Authorizer {
        let name: String
        let value: String
        func authorize(_ request: inout EncodedRequest) async throws { request.headers[name] = value }
    }

    @Test func fieldsOfAnAnswerAreReadByTheirNames() async throws {
        let transport = StubTransport { _ in .text("ok", headers: ["ETag": "\"1\"", "X-Total": "3", "x-total": "4"]) }
        let response = try await Resource("http://a.example", transport: transport).get()
        #expect(response.headers["ETag"] == "\"1\"")
        #expect(response.headers["x-total"] == "3, 4")
        #expect(response.header("etag") == "\"1\"")
        #expect(response.headers["no token"] == nil)
        #expect(response.statusCode == 200)
        let stream = try await Resource("http://a.example", transport: transport).call(.get).stream()
        #expect(stream.header("ETag") == "\"1\"")
        #expect(stream.statusCode == 200)
        stream.cancel()
    }

    @Test func hooksWriteFieldsByTheirNames() async throws {
        let echo = Echo()
        echo.site.setRules {
            $0.interceptors.append { request, next in
                var request = request
                request.headers["X-Trace"] = "t1"
                request.headers["User-Agent"] = nil
                return try await next(request)
            }
            $0.preflights.append { draft in draft.headers["X-Draft"] = "d1" }
            $0.authorizers.append(.custom(Stamping(name: "X-Key", value: "k1")))
        }
        _ = try await echo.site.get(headers: Headers(["X-Own": "o1"] as [String: String]))
        let sent = try #require(echo.transport.lastRequest)
        let names = ["X-Trace", "X-Draft", "X-Key", "X-Own", "User-Agent"]
        #expect(names.map { sent.headers[$0] } == ["t1", "d1", "k1", "o1", nil])
    }

    @Test(arguments: [("X Bad", "v"), ("", "v"), ("X-Bad", "a\nb"), ("X-Bad", "a\u{1}")])
    func aFieldThatCannotBeSentFailsTheRequest(name: String, value: String) async throws {
        let echo = Echo()
        let intercepted = echo.site.with { settings in
            settings.interceptors.append { request, next in
                var request = request
                request.headers[name] = value
                return try await next(request)
            }
        }
        let first = try await failure { try await intercepted.get() }
        #expect(first.code == .invalidHeader)
        #expect(first.stage == .interception)
        let authorized = echo.site.with { $0.authorizers.append(.custom(Stamping(name: name, value: value))) }
        #expect(try await failure { try await authorized.get() }.code == .invalidHeader)
        let raw = HTTPRequest(method: .get, url: "https://api.example.com/x", headers: [Headers.Name(name): value])
        #expect(try await failure { try await echo.site.call(raw).send() }.code == .invalidHeader)
        #expect(echo.transport.requests.isEmpty)
    }

    @Test func aRequestIsMadeOfItsURLWithOneImport() async throws {
        let echo = Echo()
        let request = HTTPRequest(method: .put, url: "https://api.example.com/a?b=c", headers: ["X-A": "1"])
        _ = try await echo.site.call(request, .raw(.bytes(ByteChunk("text")))).send()
        let sent = try #require(echo.transport.lastRequest)
        #expect(sent.url == "https://api.example.com/a?b=c")
        #expect(sent.headers["X-A"] == "1")
        #expect(try await failure { try await echo.site.call(HTTPRequest(url: "nonsense")).send() }.code == .invalidURL)
    }
}
