// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Testing

@testable import CumulusCLI

@Suite(.serialized) struct HeadTextTests {
    private func head(terminal: Bool = false, colors: Bool = false, showsSecrets: Bool = false) -> HeadText {
        var style = OutputPlan(parts: .all, formats: false, colors: colors, isTerminal: terminal)
        style.showsSecrets = showsSecrets
        return HeadText(style: style)
    }

    private func request(_ method: HTTPRequest.Method, body: RequestBody = .none) -> TransportRequest {
        TransportRequest(
            method: method,
            origin: Origin(scheme: .http, host: "example.com", port: 8080),
            target: "/a?b=c",
            headers: [.accept: "*/*", .authorization: "Basic aHVudGVyMg=="],
            body: body
        )
    }

    @Test func aRequestIsShownAsItIsSent() {
        #expect(
            head(showsSecrets: true).text(of: request(.post, body: .bytes(ByteChunk("12345")))) == """
                POST /a?b=c HTTP/1.1
                Host: example.com:8080
                Accept: */*
                Authorization: Basic aHVudGVyMg==
                Content-Length: 5

                """
        )
    }

    @Test func aRequestHasTheProtocolOfItsResponse() {
        #expect(head().text(of: request(.get), over: "HTTP/2").hasPrefix("GET /a?b=c HTTP/2\nHost: example.com:8080\n"))
    }

    @Test func framingIsShown() {
        #expect(head().text(of: request(.put)).contains("Content-Length: 0\n"))
        #expect(!head().text(of: request(.get)).contains("Content-Length"))
        let stream = StreamBody { _, _ in }
        #expect(head().text(of: request(.post, body: .stream(stream))).contains("Transfer-Encoding: chunked\n"))
    }

    @Test func `secrets of a request are not printed unless asked for`() {
        let text = head().text(of: request(.get))
        #expect(text.contains("Authorization: Basic <redacted>\n"))
        #expect(!text.contains("aHVudGVyMg"))
    }

    @Test("a key with a name of the user's choice is hidden in the request, and in a redirect that repeats it")
    func ownNames() {
        var style = OutputPlan(parts: .all, formats: false, colors: false, isTerminal: false)
        style.secretName = "z Z"
        var request = request(.get)
        request.target = "/a?b=c&z%20Z=hunter2"
        #expect(HeadText(style: style).text(of: request).hasPrefix("GET /a?b=c&z%20Z=<redacted> HTTP/1.1\n"))
        let redirect = ResponseHead(status: .found, headers: [.location: "/d?z+z=hunter2&b=c"])
        #expect(HeadText(style: style).text(of: redirect).contains("Location: /d?z+z=<redacted>&b=c\n"))
    }

    @Test func aResponseIsShownWithItsPhrase() {
        let response = ResponseHead(
            status: .notFound,
            headers: [.contentType: "text/plain", .setCookie: "a=b"],
            protocolName: "HTTP/1.1"
        )
        #expect(
            head().text(of: response) == "HTTP/1.1 404 Not Found\nContent-Type: text/plain\nSet-Cookie: a=<redacted>\n"
        )
    }

    @Test func `escapes in phrase and fields are shown on a terminal and left alone in a pipe`() {
        let value = HTTPField(name: .server, value: "x\u{9B}31m")
        let response = ResponseHead(
            status: HTTPResponse.Status(code: 200, reasonPhrase: "O\u{9B}K"),
            headers: HTTPFields([value]),
            protocolName: "HTTP/1.1"
        )
        #expect(head(terminal: true).text(of: response) == "HTTP/1.1 200 O\\u009bK\nServer: x\\u009b31m\n")
        #expect(head().text(of: response) == "HTTP/1.1 200 O\u{9B}K\nServer: x\u{9B}31m\n")
    }

    @Test(arguments: [(200, "32"), (301, "36"), (404, "33"), (503, "31")])
    func statusesHaveTheirColor(code: Int, color: String) {
        let response = ResponseHead(status: HTTPResponse.Status(code: code, reasonPhrase: ""))
        #expect(head(colors: true).text(of: response).contains("\u{1B}[\(color)m\(code)\u{1B}[0m"))
    }

    @Test func timesAreShownInMilliseconds() {
        var facts = ExchangeFacts()
        facts.phases.connect = .microseconds(1250)
        facts.remoteAddress = "127.0.0.1:80"
        facts.protocolName = "HTTP/1.1"
        let style = OutputPlan(parts: .meta, formats: false, colors: false, isTerminal: false)
        let text = MetaText(style: style).text(elapsed: .milliseconds(12), facts: facts, redirects: 2)
        #expect(text.contains("Elapsed: 12.0 ms\n"))
        #expect(text.contains("Connect: 1.3 ms\n"))
        #expect(text.contains("Remote: 127.0.0.1:80\n"))
        #expect(text.contains("Redirects: 2\n"))
        #expect(!text.contains("TLS"))
        #expect(!text.contains("Attempts"))
    }
}
