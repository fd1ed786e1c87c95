// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import HTTPTypes
import Logging
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// A jar as a setting: which cookies calls send and store, over redirects, for which hosts, and what is printed.
@Suite(.timeLimit(.minutes(10))) struct CookieJarTests {
    /// Sets the cookies in its query item `set`, redirects to `to`, and answers with the received cookies.
    private func transport() -> StubTransport {
        StubTransport { request in
            let target = request.request.target.replacingOccurrences(of: "+", with: " ")
            let items = URLComponents(string: target.replacingOccurrences(of: " ", with: "%20"))?.queryItems ?? []
            var headers = Headers()
            for item in items where item.name.hasPrefix("set") { headers.add(item.value ?? "", for: .setCookie) }
            guard let to = items.first(where: { $0.name == "to" })?.value else {
                return .response(headers: headers, body: Array((request.headers[.cookie] ?? "none").utf8))
            }
            headers[.location] = to
            return .response(.found, headers: headers)
        }
    }

    private func site(_ url: String = "https://www.example.com") -> (Resource, StubTransport) {
        let transport = transport()
        let site = Resource(url, transport: transport.watched) { $0.cookies = CookieJar() }
        return (site, transport)
    }

    @Test func withoutAJarNothingIsKept() async throws {
        let site = Resource("https://www.example.com", transport: transport().watched)
        #expect(site.cookies == nil)
        try await site.get(query: ["set": "a=1"]).requireSuccess()
        #expect(try await site.get().text == "none")
    }

    @Test func whatAnAnswerSetsGoesWithTheNextRequest() async throws {
        let (site, _) = site()
        try await site["login"].get(query: ["set": ["a=1; HttpOnly", "b=2; Path=/deep"]]).requireSuccess()
        #expect(try await site.get().text == "a=1")
        #expect(try await site["deep/er"].get().text == "b=2; a=1")
        #expect(try await site["post"].post(.text("x")).text == "a=1")
        #expect(site.cookies?.cookies.count == 2)
    }

    @Test func aTreeSharesAJarAndABranchCanHaveItsOwnOrNone() async throws {
        let (site, _) = site()
        let (own, none) = (site["own"], site["none"])
        own.setRules { $0.cookies = CookieJar() }
        none.setRules { $0.cookies = nil }
        try await site["x"].get(query: ["set": "a=1; Path=/"]).requireSuccess()
        #expect(try await site["x/y"].get().text == "a=1")
        #expect(try await own.get().text == "none")
        #expect(try await none.get().text == "none")
        try await none.get(query: ["set": "c=3; Path=/"]).requireSuccess()
        #expect(try await site.get().text == "a=1")
        none.setRules { $0.inherit(\.cookies) }
        #expect(try await none.get().text == "a=1")
    }

    @Test("a redirect that sets a cookie is followed with it, and no cookie reaches a host it isn't for")
    func redirects() async throws {
        let (site, transport) = site()
        #expect(try await site["in"].get(query: ["set": "a=1", "to": "/home"]).text == "a=1")
        let away = try await site["out"].get(
            query: [
                "set": ["b=2", "c=3; Domain=example.com"],
                "to": "https://other.org/x?set=o%3D1&to=https://api.example.com/back",
            ]
        )
        #expect(away.text == "c=3")
        #expect(transport.requests.suffix(3).map { $0.headers[.cookie] } == ["a=1", nil, "c=3"])
        // The other host's cookies stay there.
        #expect(try site.cookies?.cookies(for: "https://other.org/").map(\.name) == ["o"])
        #expect(try await site.get().text == "a=1; b=2; c=3")
    }

    @Test("a new value of a cookie is a login if a request of the call was not safe", arguments: [false, true])
    func loginByRedirect(isLogin: Bool) async throws {
        let (site, _) = site()
        try await site.get(query: ["set": "a=1; Path=/"]).requireSuccess()
        let jar = try #require(site.cookies)
        let user = jar.user
        let query: Query = ["to": "/home?set=a%3D2"]
        let response = try await isLogin ? site["in"].post(.text("ann"), query: query) : site["in"].get(query: query)
        #expect(response.text == "a=1" && jar.cookies.map(\.value) == ["2"])
        #expect((jar.user != user) == isLogin)
    }

    @Test func aRedirectFromAnotherSiteLeavesStrictCookiesBehind() async throws {
        let (site, _) = site()
        try await site.get(query: ["set": ["s=1; SameSite=Strict", "l=1; SameSite=Lax", "n=1"]]).requireSuccess()
        #expect(try await site.get().text == "s=1; l=1; n=1")
        #expect(try await site.get(query: ["to": "/here"]).text == "s=1; l=1; n=1")
        #expect(
            try await site.get(query: ["to": "https://evil.org/?to=https://www.example.com/delete"]).text == "l=1; n=1"
        )
    }

    @Test("a Host header selects no cookies, and none are stored for it")
    func hostHeader() async throws {
        let (site, transport) = site("https://evil.org")
        try site.cookies?.set("sid=hunter2", from: "https://www.example.com/")
        var headers = Headers()
        headers["Host"] = "www.example.com"
        try await site.get(query: ["set": "mine=1"], headers: headers).requireSuccess()
        #expect(transport.lastRequest?.headers[.cookie] == nil)
        #expect(try site.cookies?.cookies(for: "https://www.example.com/").map(\.name) == ["sid"])
        // Neither a trailing dot nor another case makes it a different host.
        #expect(
            try await Resource("https://WWW.example.COM.", transport: transport.watched).with {
                $0.cookies = site.cookies
            }
            .get().text == "sid=hunter2"
        )
    }

    @Test(
        "The caller's own Cookie header stays first and wins by name; there is one field",
        arguments: [
            ("own=1", "own=1; a=1; b=2"), ("a=9", "a=9; b=2"), ("a=9; b=8", "a=9; b=8"), ("b=7;x", "b=7;x; a=1"),
        ]
    )
    func ownHeader(own: String, sent: String) async throws {
        let (site, transport) = site()
        try await site.get(query: ["set": ["a=1", "b=2"]]).requireSuccess()
        #expect(try await site.get(headers: [.cookie: own]).text == sent)
        #expect(transport.lastRequest?.headers[values: .cookie].count == 1)
    }

    @Test("several Cookie fields are sent as one, with and without a jar", arguments: [true, false])
    func severalFields(hasJar: Bool) async throws {
        let (site, transport) = site()
        if !hasJar { site.setRules { $0.cookies = nil } }
        var headers: Headers = [.cookie: "a=1"]
        headers.add("b=2; c=3", for: .cookie)
        #expect(headers[.cookie] == "a=1; b=2; c=3")
        try await site.get(headers: headers).requireSuccess()
        #expect(transport.lastRequest?.headers[values: .cookie] == ["a=1; b=2; c=3"])
    }

    @Test("of a thousand cookies in a response, and of one of a megabyte, few are stored")
    func floods() async throws {
        let transport = StubTransport { _ in
            var headers: Headers = [.setCookie: "big=" + String(repeating: "x", count: 1 << 20)]
            for number in 0..<1_000 { headers.add("c\(number)=1", for: .setCookie) }
            return .response(headers: headers)
        }
        let site = Resource("https://www.example.com", transport: transport.watched)
        let jar = CookieJar()
        site.setRules { $0.cookies = jar }
        for _ in 0..<2 { try await site.get().requireSuccess() }
        #expect(jar.cookies.count == 179)
    }

    @Test("the call's log has a line when the jar drops cookies, too many, too long or stored ones, and only then")
    func droppedCookiesAreLogged() async throws {
        let transport = StubTransport { request in
            if request.path == "/long" {
                return .response(headers: [.setCookie: "long=" + String(repeating: "x", count: 5_000)])
            }
            let (first, count) = request.path == "/many" ? (0, 200) : (request.number * 1_000, 100)
            var headers: Headers = [:]
            for number in first..<first + count { headers.add("c\(number)=1", for: .setCookie) }
            return .response(headers: headers)
        }
        let log = LogRecorder()
        let site = Resource("https://www.example.com", transport: transport.watched)
        site.setRules {
            $0.cookies = CookieJar()
            $0.logger = log.logger(.info)
        }
        try await site.get().requireSuccess()
        #expect(log.texts.isEmpty)
        try await site.get().requireSuccess()
        try await site["many"].get().requireSuccess()
        try await site["long"].get().requireSuccess()
        let dropped = log.lines.map { $0.metadata["cumulus.dropped_cookies"] }
        #expect(dropped == ["20", "200", "1"], "\(log.texts)")
    }

    @Test("a cookie that is set while unwanted ones are looked for is not removed in their place")
    func removingKeepsReplacements() throws {
        let jar = CookieJar()
        for name in ["a", "b"] { jar.set(try Cookie(name, "old", domain: "www.example.com")) }
        let fresh = try Cookie("a", "new", domain: "www.example.com")
        jar.remove { cookie in
            // As another thread would at this moment.
            if cookie.name == "a" { jar.set(fresh) }
            return cookie.value.revealed == "old"
        }
        #expect(jar.cookies.map(\.value.revealed) == ["new"])
    }

    @Test func cookiesEndByTheClockOfTheJar() async throws {
        let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let jar = CookieJar(time: { time.withLock(\.self) })
        let site = Resource("https://www.example.com", transport: transport().watched) { $0.cookies = jar }
        try await site.get(query: ["set": ["a=1; Max-Age=60", "b=1"]]).requireSuccess()
        time.withLock { $0 += 59 }
        #expect(try await site.get().text == "a=1; b=1")
        time.withLock { $0 += 1 }
        #expect(try await site.get().text == "b=1")
        #expect(jar.cookies.map(\.name) == ["b"])
    }

    @Test func cookiesAreReadSetAndRemovedByHand() throws {
        let jar = CookieJar()
        jar.set(try Cookie("a", "1", domain: "WWW.example.com"))
        jar.set(try Cookie("b", "2", domain: "example.com", coversSubdomains: true, path: "/x", isSecure: false))
        try jar.set("c=3; Path=/", from: "http://www.example.com/login")
        #expect(throws: CookieRefusal.foreignDomain) {
            try jar.set("d=4; Domain=other.org", from: "https://example.com")
        }
        #expect(throws: RequestURL.Malformation.self) { try jar.set("d=4", from: "example.com") }
        #expect(try jar.cookies(for: "https://www.example.com/x/y").map(\.name) == ["b", "a", "c"])
        #expect(try jar.cookies(for: "http://www.example.com/x/y").map(\.name) == ["b", "c"])
        #expect("\(jar)" == "3 cookies")
        jar.remove { $0.name == "a" || $0.name == "c" }
        #expect(jar.cookies.map(\.name) == ["b"])
        #expect("\(jar)" == "1 cookie")
        jar.removeAll()
        #expect(jar.cookies.isEmpty)
    }

    @Test("the setting, the jar, curl() and errors show no value")
    func secrets() async throws {
        let (site, _) = site()
        try await site.get(query: ["set": "sid=hunter2"]).requireSuccess()
        var dumped = ""
        dump(site.cookies, to: &dumped)
        let error = await #expect(throws: CumulusError.self) { try await site.get(query: ["to": "ftp://x/"]) }
        let texts = [
            dumped, site.explain(\.cookies).value, "\(site.explain(\.cookies))", try await site.call(.get).curl(),
            error.map { "\($0) \(String(reflecting: $0))" } ?? "",
        ]
        #expect(texts.allSatisfy { !$0.contains("hunter2") }, "\(texts)")
        #expect(texts[1] == "1 cookie")
        #expect(try await site.call(.get).curl(includingSecrets: true).contains("sid=hunter2"))
    }

    @Test func aBodyThatStreamsAndADownloadSendAndKeepCookies() async throws {
        let (site, transport) = site()
        try await site.get(query: ["set": "a=1"]).requireSuccess()
        var text = ""
        for try await chunk in try await site.call(.get, query: ["set": "b=2"]).stream() {
            text += String(decoding: chunk.bytes, as: UTF8.self)
        }
        #expect(text == "a=1")
        let path = NSTemporaryDirectory() + "cumulus-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try await site.download(to: .file(path))
        #expect(transport.requests.last?.headers[.cookie] == "a=1; b=2")
    }

    @Test func manyCallsShareAJar() async throws {
        let (site, _) = site()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let host = Resource("https://h.site\(number % 20).com", transport: self.transport().watched) {
                        $0.cookies = site.cookies
                    }
                    _ = try await host.get(query: ["set": "c\(number)=1"])
                    let sent = try await host.get().text
                    #expect(sent?.contains("c\(number)=1") == true)
                }
            }
            try await group.waitForAll()
        }
        #expect(site.cookies?.cookies.count == 200)
    }
}
