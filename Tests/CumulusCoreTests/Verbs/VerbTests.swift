// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Every verb, with every kind of payload and result.
@Suite struct VerbTests {
    struct Post: Codable, Sendable, Equatable {
        var id: Int?
        var title: String
    }

    private let transport = StubTransport { routes in
        routes.on(.get, "/posts/:id") { request in .json(#"{"id":\#(request.parameters["id"] ?? "0"),"title":"one"}"#) }
        routes.on(.get, "/missing") { _ in .json(#"{"error":"no such thing"}"#, status: .notFound) }
        routes.on(.get, "/empty") { _ in .response(.noContent) }
        routes.on(nil, "*") { request in
            .response(
                headers: [.contentType: request.headers[.contentType] ?? "text/plain"],
                body: request.body
            )
        }
    }
    private var site: Resource { Resource("http://api.example", transport: transport.watched) }

    @Test func getDecodesYourType() async throws {
        #expect(try await site["posts/7"].get(as: Post.self) == Post(id: 7, title: "one"))
        #expect(transport.lastRequest?.headers[.accept] == "application/json")
    }

    @Test func getReturnsTheResponse() async throws {
        let response = try await site["posts/7"].get()
        #expect(response.status == .ok)
        #expect(response.isSuccessful)
        #expect(response.mediaType?.essence == "application/json")
        #expect(response.text == #"{"id":7,"title":"one"}"#)
        #expect(try response.json()["title"].string == "one")
        #expect(try response.decode(as: Post.self).id == 7)
        #expect(response.request.target == "/posts/7")
        #expect(response.history.isEmpty)
        #expect(response.header("content-TYPE") != nil)
    }

    @Test func aResponseNeverThrowsForItsStatus() async throws {
        let response = try await site["missing"].get()
        #expect(response.status.code == 404)
        #expect(throws: CumulusError.self) { try response.requireSuccess() }
    }

    @Test func aTypeThrowsForABadStatusWithTheBody() async throws {
        do {
            _ = try await site["missing"].get(as: Post.self)
            Issue.record("a 404 was decoded")
        } catch let error as CumulusError {
            #expect(error.code == .status)
            #expect(error.statusCode == 404)
            #expect(try error.response?.json()["error"].string == "no such thing")
        }
    }

    @Test func voidAsksForSuccessOnly() async throws {
        try await site["empty"].delete().requireSuccess()
        await #expect(throws: CumulusError.self) { try await site["missing"].get().requireSuccess() }
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"]) func valuesAreEncodedAsJSON(name: String) async throws {
        let post = Post(id: 1, title: "new")
        let method = try #require(HTTPRequest.Method(name))
        let answer =
            switch name {
            case "POST": try await site["x"].post(body: post, as: Post.self)
            case "PUT": try await site["x"].put(body: post, as: Post.self)
            case "PATCH": try await site["x"].patch(body: post, as: Post.self)
            default: try await site["x"].call(.delete, body: post, as: Post.self).send()
            }
        #expect(answer == post)
        #expect(transport.lastRequest?.method == method)
        #expect(transport.lastRequest?.headers[.contentType] == "application/json")
        #expect(transport.lastRequest?.text == #"{"id":1,"title":"new"}"#)
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"]) func verbsGoWithoutAPayloadToo(name: String) async throws {
        let answer =
            switch name {
            case "POST": try await site["x"].post()
            case "PUT": try await site["x"].put()
            case "PATCH": try await site["x"].patch()
            default: try await site["x"].delete()
            }
        #expect(answer.isSuccessful)
        #expect(transport.lastRequest?.body.isEmpty == true)
        #expect(transport.lastRequest?.headers[.contentType] == nil)
    }

    @Test func headAndOptionsWork() async throws {
        #expect(try await site["x"].head().isSuccessful)
        #expect(try await site["x"].options().isSuccessful)
        #expect(transport.requests.map(\.method) == [.head, .options])
    }

    @Test func anyMethodWorks() async throws {
        let purge = try #require(HTTPRequest.Method("PURGE"))
        #expect(try await site["x"].call(purge).send().isSuccessful)
        #expect(transport.lastRequest?.method.rawValue == "PURGE")
    }

    @Test func dictionariesAndArraysAreValues() async throws {
        #expect(try await site.post(["username": "me"]).text == #"{"username":"me"}"#)
        #expect(try await site.post([1, 2, 3]).text == "[1,2,3]")
    }

    @Test func dynamicJSONGoesBothWays() async throws {
        let json: JSON = ["b": 1, "a": [true, nil, "x"]]
        #expect(try await site.post(body: json, as: JSON.self) == json)
        #expect(transport.lastRequest?.text == #"{"b":1,"a":[true,null,"x"]}"#)
    }

    @Test func textBytesAndDataAreSentAsTheyAre() async throws {
        #expect(try await site.post(body: "häagen", as: String.self) == "häagen")
        #expect(transport.lastRequest?.headers[.contentType] == "text/plain; charset=utf-8")
        #expect(try await site.post(body: Data([0, 1, 255]), as: Data.self) == Data([0, 1, 255]))
        #expect(transport.lastRequest?.headers[.contentType] == "application/octet-stream")
        #expect(try await site.post(body: [UInt8]([7, 8]), as: [UInt8].self) == [7, 8])
    }

    @Test func formsAreSentInOrder() async throws {
        let response = try await site.post(.form(["user": "a b", "tags": ["x", "y"]]))
        #expect(response.text == "user=a%20b&tags%5B%5D=x&tags%5B%5D=y")
        #expect(transport.lastRequest?.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(response.form?.encoded() == "user=a%20b&tags%5B%5D=x&tags%5B%5D=y")
    }

    @Test func theContentTypeChoosesTheCoder() async throws {
        let site = site
        site.setRules { $0.contentType = .form }
        #expect(try await site.post(body: Post(id: 3, title: "a&b")).text == "id=3&title=a%26b")
        let back = try await site.post(["title": "x"], as: [String: String].self)
        #expect(back == ["title": "x"])
    }

    @Test func textKeepsTheContentTypeItIsGiven() async throws {
        _ = try await site.post(body: "<a/>", headers: [.contentType: "text/xml"])
        #expect(transport.lastRequest?.headers[.contentType] == "text/xml")
    }

    @Test func aPayloadCanNameItsType() async throws {
        _ = try await site.post(.value(Post(title: "x"), as: "application/vnd.api+json"))
        #expect(transport.lastRequest?.headers[.contentType] == "application/vnd.api+json")
        _ = try await site.put(.text("a,b", type: "text/csv"))
        #expect(transport.lastRequest?.headers[.contentType] == "text/csv")
    }

    @Test func streamsAreSentAsTheyCome() async throws {
        let chunks = AsyncStream<[UInt8]> { continuation in
            for index in 0..<3 { continuation.yield([UInt8(index)]) }
            continuation.finish()
        }
        #expect(try await site.put(.stream(chunks)).bytes.bytes == [0, 1, 2])
    }

    @Test func rawRequestsGoToTheirOwnURL() async throws {
        let site = site
        site.setRules { $0.headers["X-Site"] = "s" }
        var raw = HTTPRequest(method: .put, scheme: "http", authority: "api.example", path: "/raw?x=1")
        raw.headerFields[.contentType] = "text/plain"
        let response = try await site["deep/down"].call(raw, .raw(.bytes(ByteChunk("hello")))).send()
        #expect(response.text == "hello")
        #expect(transport.lastRequest?.url == "http://api.example/raw?x=1")
        #expect(transport.lastRequest?.headers["X-Site"] == "s")
        raw.authority = "other.example"
        _ = try await site.call(raw).send()
        #expect(transport.lastRequest?.url == "http://other.example/raw?x=1")
        #expect(transport.lastRequest?.headers["X-Site"] == nil)
    }

    @Test func aRawRequestWithoutASchemeIsRefused() async {
        await #expect(throws: CumulusError.self) {
            _ = try await site.call(HTTPRequest(method: .get, scheme: nil, authority: "a", path: "/")).send()
        }
    }

    @Test func bodiesCanBeReadAsTheyCome() async throws {
        let stream = try await site["x"].call(.post, .text("streamed")).stream()
        var bytes: [UInt8] = []
        for try await chunk in stream { bytes += chunk.bytes }
        #expect(bytes == Array("streamed".utf8))
        #expect(stream.status == .ok)
        #expect(stream.end != nil)
        #expect(stream.headers[.contentType] == "text/plain; charset=utf-8")
    }

    @Test func aStreamThrowsForABadStatusWithItsBody() async {
        do {
            _ = try await site["missing"].call(.get).stream()
            Issue.record("a 404 was streamed")
        } catch {
            #expect((error as? CumulusError)?.statusCode == 404)
            #expect((error as? CumulusError)?.response?.text?.contains("no such thing") == true)
        }
    }

    @Test func aStreamOfAnyStatusIsHandedOverOnRequest() async throws {
        let stream = try await site["missing"].call(.get).stream(anyStatus: true)
        #expect(stream.status.code == 404)
        var bytes: [UInt8] = []
        for try await chunk in stream { bytes += chunk.bytes }
        #expect(String(decoding: bytes, as: UTF8.self).contains("no such thing"))
    }

    @Test func aNamedPayloadTypeWinsOverTheSettings() async throws {
        let site = site
        site.setRules { $0.contentType = .json }
        func sent(_ payload: Payload, headers: Headers = [:]) async throws -> String? {
            _ = try await site.post(payload, headers: headers)
            return transport.lastRequest?.headers[.contentType]
        }
        #expect(try await sent(.form(["a": 1])) == "application/x-www-form-urlencoded")
        #expect(try await sent(.text("a,b", type: "text/csv")) == "text/csv")
        #expect(try await sent(.text("{}")) == "application/json")
        #expect(try await sent(.bytes([UInt8](), type: .png)) == "image/png")
        #expect(try await sent(.value(Post(title: "x"), as: .form)) == "application/x-www-form-urlencoded")
        #expect(try await sent(.form(["a": 1]), headers: [.contentType: "text/x"]) == "text/x")
    }

    @Test func jsonOfTextAndBytesIsJSON() async throws {
        #expect(try await site.post(.json("hi")).text == "\"hi\"")
        #expect(try await site.post(.json([UInt8]([1, 2]))).text == "[1,2]")
    }

    @Test func getAndHeadMayAskForSuccessOnly() async throws {
        try await site["posts/1"].get().requireSuccess()
        await #expect(throws: CumulusError.self) { try await site["missing"].get().requireSuccess() }
        try await site["x"].head().requireSuccess()
    }
}
