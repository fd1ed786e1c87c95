// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Each redirect status x each method x the same and another origin, with and without a body.
@Suite struct RedirectRuleTests {
    private static let statuses = [301, 302, 303, 307, 308]
    /// The changed method, by status (RFC 9110 section 15.4; QUERY as in its RFC).
    private static let table: [(before: String, after: [String])] = [
        ("GET", ["GET", "GET", "GET", "GET", "GET"]),
        ("HEAD", ["HEAD", "HEAD", "HEAD", "HEAD", "HEAD"]),
        ("POST", ["GET", "GET", "GET", "POST", "POST"]),
        ("PUT", ["PUT", "PUT", "GET", "PUT", "PUT"]),
        ("PATCH", ["PATCH", "PATCH", "GET", "PATCH", "PATCH"]),
        ("DELETE", ["DELETE", "DELETE", "GET", "DELETE", "DELETE"]),
        ("OPTIONS", ["OPTIONS", "OPTIONS", "GET", "OPTIONS", "OPTIONS"]),
        ("TRACE", ["TRACE", "TRACE", "GET", "TRACE", "TRACE"]),
        ("QUERY", ["QUERY", "QUERY", "GET", "QUERY", "QUERY"]),
        ("PROPFIND", ["PROPFIND", "PROPFIND", "GET", "PROPFIND", "PROPFIND"]),
    ]
    private static let places = [
        ("/there", true), ("https://a.example/there", true), ("https://b.example/there", false),
        ("https://a.example:8443/there", false), ("https://www.a.example/there", false),
    ]

    private func site(_ status: Int, to place: String) -> (Resource, StubTransport) {
        let transport = StubTransport { request in
            request.path == "/here"
                ? .response(.init(code: status), headers: [.location: place]) : .response(.ok)
        }
        let site = Resource("https://a.example", transport: transport.watched) { $0.headers["X-Token"] = "secret" }
        return (site["here"], transport)
    }

    @Test("a redirect without a body is followed, to another origin only with harmless fields")
    func withoutBody() async throws {
        for (place, isSame) in Self.places {
            for (before, after) in Self.table {
                for (status, after) in zip(Self.statuses, after) {
                    let (here, transport) = site(status, to: place)
                    let method = try #require(HTTPRequest.Method(rawValue: before))
                    let response = try await here.call(method, headers: [.accept: "text/plain"]).send()
                    let last = try #require(transport.lastRequest)
                    #expect(transport.requests.count == 2 && response.history.map(\.status.code) == [status])
                    #expect(last.method.rawValue == after, "\(before), \(status)")
                    #expect(last.request.target == "/there")
                    #expect(last.headers["X-Token"] == (isSame ? "secret" : nil), "\(place)")
                    #expect(last.headers[.accept] == "text/plain")
                }
            }
        }
    }

    @Test("a redirect keeps a body with its method, drops it with it, or is refused at another origin")
    func withBody() async throws {
        for (place, isSame) in Self.places {
            for (before, after) in Self.table where before != "HEAD" && before != "TRACE" {
                for (status, after) in zip(Self.statuses, after) {
                    try await follow(status, before, to: place, isSame: isSame, becoming: after)
                }
            }
        }
    }

    private func follow(
        _ status: Int,
        _ before: String,
        to place: String,
        isSame: Bool,
        becoming after: String
    ) async throws {
        let (here, transport) = site(status, to: place)
        let method = try #require(HTTPRequest.Method(rawValue: before))
        let keepsBody = after == before
        guard isSame || !keepsBody else {
            let error = await #expect(throws: CumulusError.self) { try await here.call(method, .text("body")).send() }
            #expect(error?.code == .redirectRefused, "\(before), \(status), \(place)")
            #expect(transport.requests.count == 1)
            return
        }
        _ = try await here.call(method, .text("body")).send()
        let last = try #require(transport.lastRequest)
        #expect(last.method.rawValue == after, "\(before), \(status)")
        #expect(last.text == (keepsBody ? "body" : ""))
        #expect((last.headers[.contentType] != nil) == keepsBody)
    }

    @Test("redirects of each method are delivered if none are followed, and refused from https to http")
    func notFollowed() async throws {
        for (before, _) in Self.table {
            for status in Self.statuses {
                let method = try #require(HTTPRequest.Method(rawValue: before))
                let (here, transport) = site(status, to: "/there")
                here.setRules { $0.redirects = .none }
                #expect(try await here.call(method).send().status.code == status)
                #expect(transport.requests.count == 1)
                let (secure, other) = site(status, to: "http://a.example/there")
                let error = await #expect(throws: CumulusError.self) { try await secure.call(method).send() }
                #expect(error?.code == .redirectRefused)
                #expect(other.requests.count == 1)
            }
        }
    }
}
