// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import Logging
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Basic after a challenge, API keys, signed parameters, and unsupported schemes.
@Suite(.timeLimit(.minutes(10))) struct SchemeTests {
    private let echo = Echo()
    private var site: Resource { echo.site }
    private var target: String? { echo.transport.lastRequest?.request.target }

    private func refusing(_ offers: String..., accepting proof: String? = nil) -> (Resource, StubTransport) {
        let transport = StubTransport { request in
            if let proof, request.headers[.authorization] == proof { return .text("in") }
            var headers = Headers()
            for offer in offers { headers.add(offer, for: .wwwAuthenticate) }
            return .response(.unauthorized, headers: headers)
        }
        return (Resource("http://a.example", transport: transport.watched), transport)
    }

    @Test("Basic after a challenge is sent once the server has asked, and from then on without asking")
    func basicWhenAsked() async throws {
        let (site, transport) = refusing(#"Basic realm="r", charset="UTF-8""#, accepting: "Basic dGVzdDoxMjPCow==")
        site.setRules { $0.authorizers = [.basic(user: "test", password: "123\u{A3}", whenAsked: true)] }
        #expect(try await site["a"].get().text == "in")
        #expect(try await site["b"].get().text == "in")
        #expect(transport.requests.map { $0.headers[.authorization] != nil } == [false, true, true])
    }

    @Test("Basic after a challenge is asked once about a wrong password, and not at all for another scheme")
    func basicRefused() async throws {
        let (site, transport) = refusing("Basic realm=r")
        site.setRules { $0.authorizers = [.basic(user: "a", password: "b", whenAsked: true)] }
        #expect(try await site.get().status == .unauthorized)
        #expect(transport.requests.count == 2)
        let (other, elsewhere) = refusing("Bearer realm=r")
        other.setRules { $0.authorizers = [.basic(user: "a", password: "b", whenAsked: true)] }
        #expect(try await other.get().status == .unauthorized)
        #expect(elsewhere.requests.count == 1)
    }

    @Test("an API key is in its field; the request's own takes precedence")
    func headerKey() async throws {
        site.setRules { $0.authorizers = [.apiKey("K", header: "X-API-Key")] }
        let name = try #require(HTTPField.Name("x-api-key"))
        try await site.get().requireSuccess()
        #expect(echo.transport.lastRequest?.headers[name] == "K")
        try await site.get(headers: ["X-Api-Key": "own"]).requireSuccess()
        #expect(echo.transport.lastRequest?.headers[values: name] == ["own"])
    }

    @Test(
        "an API key is at the end of the query, escaped, unless the request has one",
        arguments: [
            ("/a", "/a?api_key=k%26%20%2B"), ("/a?", "/a?api_key=k%26%20%2B"), ("/a?b", "/a?b&api_key=k%26%20%2B"),
            ("/a?b=1&", "/a?b=1&api_key=k%26%20%2B"), ("/a?api_key=own", "/a?api_key=own"),
            ("/a?api%5Fkey=own", "/a?api%5Fkey=own"), ("/a?xapi_key=1", "/a?xapi_key=1&api_key=k%26%20%2B"),
        ]
    )
    func queryKey(target: String, expected: String) async throws {
        var request = EncodedRequest(method: .get, url: try RequestURL("http://a.example\(target)"))
        request.target = target
        try await APIKeyAuthorizer("k& +", query: "api_key").authorize(&request)
        #expect(request.target == expected)
    }

    @Test("an API key in a query is not sent to other origins, nor shown in errors, descriptions and curl()")
    func queryKeyStays() async throws {
        let transport = StubTransport { request in
            request.path == "/away"
                ? .response(.found, headers: [.location: "http://b.example/x"]) : .response(.notFound)
        }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.authorizers = [.apiKey("hunter2", query: "api_key")]
        }
        let error = try await failure { try await site["away"].get().requireSuccess() }
        #expect(transport.requests.map(\.request.target) == ["/away?api_key=hunter2", "/x"])
        let response = try #require(error.response)
        #expect(response.history.allSatisfy { !$0.request.target.contains("hunter2") })
        let command = try await site["away"].call(.get).curl()
        #expect(command.contains("api_key"))
        for text in ["\(error)", "\(response)", "\(response.attempts)", "\(site.authorizers)", command] {
            #expect(!text.contains("hunter2"))
        }
    }

    @Test("a key's name may be anything, and logs and curl() still hide it")
    func hiddenNames() async throws {
        let log = LogRecorder()
        site.setRules {
            $0.logger = log.logger(.trace)
            $0.authorizers = [.apiKey("hunter2", header: "X-Odd"), .apiKey("hunter2", query: "odd")]
        }
        try await site["a"].get(query: ["b": 1]).requireSuccess()
        #expect(target == "/a?b=1&odd=hunter2")
        let command = try await site["a"].call(.get, query: ["b": 1]).curl()
        #expect(command.contains("b=1&odd=<redacted>"))
        #expect(command.contains("X-Odd: <redacted>"))
        #expect(!command.contains("hunter2"))
        #expect(!"\(log.lines)".contains("hunter2"))
        #expect("\(log.lines)".contains("x-odd"))
        #expect(try await site["a"].call(.get).curl(includingSecrets: true).contains("odd=hunter2"))
    }

    @Test("a key that a redirect repeats is hidden wherever a request or a response is shown")
    func hiddenNamesAfterRedirects() async throws {
        let transport = StubTransport { request in
            switch request.path {
            case "/a": .response(.found, headers: [.location: "/b?z+z=hunter2&q=1"])
            case "/b": .response(.found, headers: [.location: "http://b.example/c?z%20z=hunter2"])
            default: .response(.notFound)
            }
        }
        let (log, told) = (LogRecorder(), Told())
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.logger = log.logger(.trace)
            $0.observers.append(told.observe)
            $0.authorizers = [.apiKey("hunter2", query: "z z")]
        }
        let error = try await failure { try await site["a"].get().requireSuccess() }
        #expect(
            transport.requests.map(\.request.target)
                == ["/a?z%20z=hunter2", "/b?z+z=hunter2&q=1", "/c?z%20z=hunter2"]
        )
        let response = try #require(error.response)
        let requests =
            [response.request, try #require(error.request)] + response.history.map(\.request)
            + response.attempts.map(\.request) + told.requests
        #expect(requests.count > 9)
        for request in requests { #expect(!request.curl().contains("hunter2")) }
        #expect(response.request.curl().contains("z%20z=<redacted>"))
        #expect(response.history.last?.request.curl().contains("z+z=<redacted>&q=1") == true)
        #expect(response.request.curl(includingSecrets: true).contains("hunter2"))
        let texts = ["\(error)", "\(response)", "\(response.attempts)"] + log.lines.map { "\($0)" } + told.texts
        #expect(!texts.joined().contains("hunter2"))
        #expect(
            log.lines.contains { $0.metadata["cumulus.headers"]?.contains("/b?z+z=<redacted>&q=<redacted>") == true }
        )
    }

    @Test("a failed attempt after a redirect, and a refused redirect, hide the key, too")
    func hiddenNamesInErrors() async throws {
        let transport = StubTransport { request in
            if request.path == "/a" { return .response(.found, headers: [.location: "/b?odd=hunter2"]) }
            if request.path == "/b" { throw TransportFailure(.connect, "nobody is there") }
            return .response(.found, headers: [.location: "/c?odd=hunter2"])
        }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.authorizers = [.apiKey("hunter2", query: "odd")]
        }
        for path in ["a", "c"] {
            let error = try await failure { try await site[segment: path].get() }
            let requests = [try #require(error.request)] + error.attempts.map(\.request)
            #expect(requests.count > 2)
            #expect(requests.contains { $0.target.contains("hunter2") })
            for request in requests { #expect(!request.curl().contains("hunter2")) }
        }
    }

    @Test("your own authorizer, an interceptor with it, and the signature of a query under any name")
    func hiddenNamesOfOthers() async throws {
        struct Own: Authorizer {
            func authorize(_ request: inout EncodedRequest) async throws {
                if !request.target.contains("mine") { request.target += "?mine=hunter2" }
                request.hide("mine")
            }
        }
        let transport = StubTransport { request in
            request.path == "/a" ? .response(.found, headers: [.location: "/b\(Self.query(request))"]) : .text("")
        }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.authorizers = [.custom(Own()), .sortedParameters(secret: "s", signatureName: "check")]
        }
        for interceptors: Int in 0...1 {
            site.setRules { $0.interceptors = [] }
            for _ in 0..<interceptors {
                site.setRules { $0.interceptors.append { request, next in try await next(request) } }
            }
            let command = try await site["a"].get().history[0].request.curl()
            #expect(!command.contains("hunter2"))
        }
        let command = try await site["a"].call(.get).curl()
        #expect(command.contains("mine=<redacted>") && command.contains("check=<redacted>"))
    }

    private static func query(_ request: StubRequest) -> String { request.query.map { "?\($0)" } ?? "" }

    @Test("RFC 7617 section 2.1: user and password are sent unchanged", arguments: [false, true])
    func normalization(isComposed: Bool) async throws {
        let user = isComposed ? "e\u{301}".precomposedStringWithCanonicalMapping : "e\u{301}"
        site.setRules { $0.authorizers = [.basic(user: user, password: "p")] }
        try await site.get().requireSuccess()
        let field = echo.transport.lastRequest?.headers[.authorization]
        #expect(field == (isComposed ? "Basic w6k6cA==" : "Basic ZcyBOnA="))
    }

    /// Records what observers are shown.
    private final class Told: Sendable {
        private let events = Mutex<[CallEvent]>([])

        func observe(_ event: CallEvent) { events.withLock { $0.append(event) } }

        var texts: [String] { events.withLock(\.self).map { "\($0)" } }

        var requests: [EncodedRequest] {
            events.withLock(\.self).compactMap { event in
                switch event.kind {
                case .sending(let request), .again(_, let request, _): request
                case .delivered(let response): response.request
                case .ended(.failed(let error)), .failed(let error): (error as? CumulusError)?.request
                default: nil
                }
            }
        }
    }

    @Test(
        "a key that no header can carry is refused",
        arguments: ["", " a", "a ", "a\tb", "a\r\nX: y", "\u{FC}"]
    )
    func badKeys(key: String) async throws {
        site.setRules { $0.authorizers = [.apiKey(Secret(key), header: "X-API-Key")] }
        let error = try await failure { try await site.get() }
        #expect(error.code == .authorization)
        site.setRules { $0.authorizers = [.apiKey("K", header: "X API")] }
        let named = try await failure { try await site.get() }
        #expect(named.code == .authorization)
        #expect(echo.transport.requests.isEmpty)
    }

    @Test("a key in Authorization may have its scheme before it")
    func keyWithScheme() async throws {
        site.setRules { $0.authorizers = [.apiKey("Token abc", header: .authorization)] }
        try await site.get().requireSuccess()
        #expect(echo.transport.requests.map { $0.headers[.authorization] } == ["Token abc"])
    }

    @Test("the authorizers of a resource are shown by kind and origin, without secrets")
    func shown() {
        site.setRules { $0.authorizers = [.apiKey("hunter2", header: "X-Key"), .bearer("hunter3")] }
        var dumped = ""
        dump(site.authorizers, to: &dumped)
        let text = "\(site.authorizers)"
        #expect(text.begins(with: "[APIKeyAuthorizer for http"), "\(text)")
        #expect(text.contains("BearerAuthorizer for http") && !text.contains("ObjectIdentifier"), "\(text)")
        #expect(!(text + dumped).contains("hunter"), "\(dumped)")
    }

    @Test("the MD5 of sorted items and a secret signs the query, including the API key")
    func sortedParameters() async throws {
        site.setRules { $0.authorizers = [.apiKey("k", query: "api_key"), .sortedParameters(secret: "s3")] }
        try await site["rest"].get(query: ["method": "Users.get", "v": "1.0", "fields": "a b"]).requireSuccess()
        // api_key=kfields=a bmethod=Users.getv=1.0s3
        #expect(target?.hasSuffix("&sig=c58bc73c6378e86950364abfe8920fed") == true)
        #expect(target?.contains("&api_key=k&") == true)
        try await site.get(query: ["sig": "own"]).requireSuccess()
        #expect(target == "/?sig=own&api_key=k")
    }

    @Test func aFormIsSignedTogetherWithTheQuery() async throws {
        site.setRules { $0.authorizers = [.sortedParameters(secret: "s3")] }
        let form: Payload = .form(["method": "Users.get", "v": "1.0", "fields": "a b"])
        try await site.post(form, query: ["api_key": "k"]).requireSuccess()
        #expect(target == "/?api_key=k")
        let signed = "method=Users.get&v=1.0&fields=a%20b&sig=c58bc73c6378e86950364abfe8920fed"
        #expect(echo.transport.lastRequest?.text.replacing("a+b", with: "a%20b") == signed)
        try await site.post(.form(["sig": "own"])).requireSuccess()
        #expect(echo.transport.lastRequest?.text == "sig=own")
        try await site.post(.text("a=b")).requireSuccess()
        #expect(echo.transport.lastRequest?.text == "a=b")
    }

    @Test(
        "NTLM and Negotiate are reported as unsupported",
        arguments: [["NTLM"], ["Negotiate", "ntlm"], ["Negotiate YII="]]
    )
    func unsupported(offers: [String]) async throws {
        let transport = StubTransport { _ in
            .response(.unauthorized, headers: [.wwwAuthenticate: offers.joined(separator: ", ")])
        }
        let site = Resource("http://a.example", transport: transport.watched)
        #expect(try await site.get().status == .unauthorized)
        site.setRules { $0.authorizers = [.digest(user: "a", password: "b")] }
        let error = try await failure { try await site.get() }
        #expect(error.code == .unsupported)
        #expect(error.statusCode == 401)
        #expect(error.message.contains(offers.count == 1 && offers[0] == "NTLM" ? "NTLM" : "Negotiate"))
        #expect(transport.requests.count == 2)
    }
}
