// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import HTTPTypes
import Testing

@testable import CumulusURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.serialized) struct URLRequestTests {
    private let request = HTTPRequest(
        method: .put,
        scheme: "https",
        authority: "example.com:8443",
        path: "/a%2Fb/%C3%A9?q=1%2B2",
        headerFields: [.accept: "text/html", .acceptLanguage: "de"]
    )

    @Test func comesFromAnHTTPRequest() throws {
        let made = try #require(URLRequest(request, body: Data("x".utf8)))
        #expect(made.url?.absoluteString == "https://example.com:8443/a%2Fb/%C3%A9?q=1%2B2")
        #expect(made.httpMethod == "PUT")
        #expect(made.value(forHTTPHeaderField: "Accept") == "text/html")
        #expect(made.httpBody == Data("x".utf8))
    }

    @Test func becomesTheSameHTTPRequestAgain() throws {
        let made = try #require(URLRequest(request))
        let back = try #require(HTTPRequest(made))
        #expect(back.method == .put)
        #expect(back.scheme == "https")
        #expect(back.authority == "example.com:8443")
        #expect(back.path == "/a%2Fb/%C3%A9?q=1%2B2")
        #expect(back.headerFields[.accept] == "text/html")
        #expect(back.headerFields.count == 2)
    }

    @Test func joinsFieldsOfOneName() throws {
        var several = request
        let cookie = try #require(HTTPField.Name("Cookie"))
        several.headerFields = [.accept: "a", .accept: "b"]
        several.headerFields.append(HTTPField(name: cookie, value: "x=1"))
        several.headerFields.append(HTTPField(name: cookie, value: "y=2"))
        let made = try #require(URLRequest(several))
        #expect(made.value(forHTTPHeaderField: "Accept") == "a, b")
        #expect(made.value(forHTTPHeaderField: "Cookie") == "x=1; y=2")
    }

    @Test(arguments: [
        ("https://user:pw@example.com/x#top", "example.com", "/x"),
        ("http://example.com", "example.com", "/"),
        ("http://[::1]:81/?", "[::1]:81", "/?"),
    ])
    func givesMethodAuthorityAndPath(url: String, authority: String, path: String) throws {
        let parsed = try #require(URL(string: url))
        let made = try #require(HTTPRequest(URLRequest(url: parsed)))
        #expect(made.authority == authority)
        #expect(made.path == path)
        #expect(made.method == .get)
    }

    @Test func refusesWhatIsNoRequest() throws {
        let file = try #require(URL(string: "file:///x"))
        #expect(HTTPRequest(URLRequest(url: file)) == nil)
        #expect(URLRequest(HTTPRequest(method: .get, scheme: nil, authority: "a", path: "/")) == nil)
        #expect(URLRequest(HTTPRequest(method: .get, scheme: "https", authority: "a", path: "no slash")) == nil)
        #expect(URLRequest(HTTPRequest(method: .options, scheme: "https", authority: "a", path: "*")) == nil)
    }

    @Test func becomesAnExchange() throws {
        var raw = URLRequest(url: try #require(URL(string: "HTTPS://Example.com/x?y=1")))
        raw.httpMethod = "PATCH"
        raw.httpBody = Data("body".utf8)
        raw.timeoutInterval = 5
        raw.setValue("12", forHTTPHeaderField: "Content-Length")
        raw.setValue("1", forHTTPHeaderField: "X-A")
        let exchange = try TransportRequest(raw)
        #expect(exchange.origin == Origin(scheme: .https, host: "example.com"))
        #expect(exchange.method == .patch)
        #expect(exchange.target == "/x?y=1")
        #expect(exchange.headers.map(\.name.rawName) == ["X-A"])
        #expect(exchange.body.length == 4)
        #expect(exchange.deadlines.idle == .seconds(5))
    }

    @Test func anExchangeNeedsAnHTTPURLAndBytes() throws {
        let ftp = URLRequest(url: try #require(URL(string: "ftp://example.com/x")))
        let failure = #expect(throws: TransportFailure.self) { try TransportRequest(ftp) }
        #expect(failure?.kind == .invalidRequest)
        var stream = URLRequest(url: try #require(URL(string: "http://example.com/x")))
        stream.httpBodyStream = InputStream(data: Data("x".utf8))
        let unsupported = #expect(throws: TransportFailure.self) { try TransportRequest(stream) }
        #expect(unsupported?.kind == .unsupported)
    }

    @Test(arguments: [
        ("a=1; Path=/", ["a=1; Path=/"]),
        ("a=1, b=2", ["a=1", "b=2"]),
        (
            "a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/, b=2; Expires=Wed, 21 Oct 2099 07:28:00 GMT,c=3",
            ["a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/", "b=2; Expires=Wed, 21 Oct 2099 07:28:00 GMT", "c=3"]
        ),
        ("a=x,y", ["a=x,y"]),
        ("a=\"x, y\"; Secure", ["a=\"x, y\"; Secure"]),
        ("", []),
    ])
    func takesJoinedCookiesApart(joined: String, cookies: [String]) {
        #expect(HTTPFields.splitCookies(joined) == cookies)
    }
}
