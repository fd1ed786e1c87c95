// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import CumulusURLSession
import Foundation
import HTTPTypes
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// URL requests sent by a resource, and made from its requests.
@Suite struct RawURLRequestTests {
    private let transport = StubTransport { request in .text(request.text) }
    private var site: Resource { Resource("https://api.example/v1", transport: transport) }

    @Test func aURLRequestIsSentWithTheSettingsBeneathIt() async throws {
        let site = site
        site.setRules { $0.headers[.userAgent] = "Atlas/2.1" }
        var request = URLRequest(url: try #require(URL(string: "https://api.example/raw?x=1")))
        request.httpMethod = "PUT"
        request.httpBody = Data("hello".utf8)
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        request.timeoutInterval = 7
        let response = try await site.call(request).send()
        #expect(response.text == "hello")
        let sent = try #require(transport.lastRequest)
        #expect(sent.url == "https://api.example/raw?x=1")
        #expect(sent.method == .put)
        #expect(sent.headers[.contentType] == "text/plain")
        #expect(sent.headers[.userAgent] == "Atlas/2.1")
        #expect(sent.request.deadlines.idle == .seconds(7))
    }

    @Test func anotherOriginGetsOnlyTheRequestsOwnFields() async throws {
        let site = site
        site.setRules { $0.credentials = Credentials(user: "u", password: "p") }
        let request = URLRequest(url: try #require(URL(string: "https://other.example/x")))
        try await site.call(request).send().requireSuccess()
        #expect(transport.lastRequest?.headers[.authorization] == nil)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://a.example/", "relative/path"]) func otherURLsAreRefused(text: String)
        async throws
    {
        let request = URLRequest(url: try #require(URL(string: text)))
        await #expect(throws: CumulusError.self) { _ = try await site.call(request).send() }
        #expect(transport.requests.isEmpty)
    }

    @Test func whatWasSentComesOutAsAURLRequest() async throws {
        let response = try await site["posts"].post(["title": "x"], query: ["draft": true])
        let request = try #require(URLRequest(response.request))
        #expect(request.url?.absoluteString == "https://api.example/v1/posts?draft=true")
        #expect(request.httpMethod == "POST")
        #expect(request.httpBody == Data(#"{"title":"x"}"#.utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }
}
