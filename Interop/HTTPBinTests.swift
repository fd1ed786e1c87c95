// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Testing

@Suite(.enabled(if: InteropServers.httpbin != nil, "\(InteropServers.reason)"))
struct HTTPBinTests {
    private struct Person: Codable, Equatable, Sendable {
        var name: String
        var age: Int
    }

    private func site(_ transport: InteropTransport) throws -> Resource {
        try transport.resource(InteropServers.httpbin)
    }

    @Test(arguments: InteropTransport.allCases, ["GET", "POST", "PUT", "PATCH", "DELETE"])
    func verbsReachTheServer(transport: InteropTransport, verb: String) async throws {
        let method = try #require(HTTPRequest.Method(rawValue: verb))
        let json = try await site(transport)["anything/x"].call(method).send().requireSuccess().json()
        #expect(json["method"].string == verb)
    }

    @Test(arguments: InteropTransport.allCases)
    func headAndOptionsHaveNoBody(transport: InteropTransport) async throws {
        let head = try await site(transport)["get"].call(.head).send()
        #expect(head.isSuccessful && head.bytes.isEmpty)
        let options = try await site(transport)["get"].call(.options).send()
        #expect(options.headers[.allow]?.contains("GET") == true)
    }

    @Test(arguments: InteropTransport.allCases)
    func jsonIsEchoed(transport: InteropTransport) async throws {
        let ada = Person(name: "Ada Lovelace ✓", age: 36)
        let json = try await site(transport)["post"].call(.post, .value(ada)).send().json()
        #expect(try json["json"].decode(as: Person.self) == ada)
        #expect(json["headers"]["Content-Type"].string == "application/json")
    }

    @Test(arguments: InteropTransport.allCases, ["gzip", "deflate"])
    func codedBodiesAreDecoded(transport: InteropTransport, coding: String) async throws {
        let key = coding == "gzip" ? "gzipped" : "deflated"
        let json = try await site(transport)["\(coding)"].get().json()
        #expect(json[key].bool == true)
    }

    @Test(arguments: InteropTransport.allCases)
    func formsAreUnderstood(transport: InteropTransport) async throws {
        let json = try await site(transport)["post"].call(.post, .form(["a": "x y&z=ü+", "b": "2"])).send().json()
        #expect(json["form"] == ["a": "x y&z=ü+", "b": "2"])
    }

    @Test(arguments: InteropTransport.allCases)
    func queriesAreUnderstood(transport: InteropTransport) async throws {
        let query: Query = ["q": "a b&c=d/ü+", "list": ["1", "2"], "n": 1]
        let json = try await site(transport)["get"].call(.get, query: query).send().json()
        #expect(json["args"] == ["q": "a b&c=d/ü+", "list[]": ["1", "2"], "n": "1"])
    }

    @Test(arguments: InteropTransport.allCases)
    func headersArrive(transport: InteropTransport) async throws {
        let resource = try site(transport)
        resource.setRules { $0.headers["X-From-Root"] = "root" }
        let json = try await resource["headers"].call(.get, headers: ["X-Own": "own"]).send().json()
        #expect(json["headers"]["X-From-Root"].string == "root")
        #expect(json["headers"]["X-Own"].string == "own")
    }

    @Test(arguments: InteropTransport.allCases)
    func escapedPathsStayOneSegment(transport: InteropTransport) async throws {
        let json = try await site(transport)["anything"][segment: "a b?c#d%"].call(.get).send().json()
        #expect(json["url"].string?.hasSuffix("/anything/a%20b%3Fc%23d%") == true)
        #expect(json["args"] == [:])
    }

    @Test(arguments: InteropTransport.allCases)
    func basicCredentialsAreAccepted(transport: InteropTransport) async throws {
        let resource = try site(transport)
        #expect(try await resource["basic-auth/ada/päss:word"].call(.get).send().status.code == 401)
        resource.setRules { $0.credentials = Credentials(user: "ada", password: "päss:word") }
        let json = try await resource["basic-auth/ada/päss:word"].call(.get).send().requireSuccess().json()
        #expect(json["authenticated"].bool == true && json["user"].string == "ada")
    }

    @Test(arguments: InteropTransport.allCases)
    func bearerTokensAreAccepted(transport: InteropTransport) async throws {
        let resource = try site(transport)
        #expect(try await resource["bearer"].call(.get).send().status.code == 401)
        resource.setRules { $0.authorizers = [.bearer("t0k-e.n_")] }
        #expect(try await resource["bearer"].call(.get).send().json()["token"].string == "t0k-e.n_")
    }

    @Test(arguments: InteropTransport.allCases, ["redirect/3", "absolute-redirect/3", "relative-redirect/3"])
    func redirectsAreFollowed(transport: InteropTransport, path: String) async throws {
        let response = try await site(transport)[path: path].call(.get).send()
        #expect(response.status.code == 200)
        #expect(response.history.map(\.status.code) == [302, 302, 302])
        #expect(response.request.target == "/get")
    }

    @Test(arguments: InteropTransport.allCases)
    func cookiesThatARedirectSetsGoWithIt(transport: InteropTransport) async throws {
        let resource = try site(transport)
        // The server answers with a redirect to a page that shows the received data.
        let without = try await resource["cookies/set"].get(query: ["sid": "s1"]).json()
        #expect(without["cookies"] == [:])
        let jar = CookieJar()
        resource.setRules { $0.cookies = jar }
        let json = try await resource["cookies/set"].get(query: ["sid": "s1", "lang": "de"]).json()
        #expect(json["cookies"] == ["sid": "s1", "lang": "de"])
        let own = try await resource["cookies"].get(headers: [.cookie: "lang=fr"]).json()
        #expect(own["cookies"] == ["sid": "s1", "lang": "fr"])
        let fewer = try await resource["cookies/delete"].get(query: ["sid": ""]).json()
        #expect(fewer["cookies"] == ["lang": "de"])
        #expect(jar.cookies.map(\.name) == ["lang"])
    }

    @Test(arguments: InteropTransport.allCases)
    func tooManyRedirectsAreAnError(transport: InteropTransport) async throws {
        let resource = try site(transport)
        resource.setRules { $0.redirects = RedirectPolicy(limit: 2) }
        let error = await #expect(throws: CumulusError.self) { try await resource["redirect/3"].call(.get).send() }
        #expect(error?.code == .tooManyRedirects)
    }

    @Test(arguments: InteropTransport.allCases)
    func aRedirectedPOSTKeepsOrDropsItsBody(transport: InteropTransport) async throws {
        let resource = try site(transport)["redirect-to"]
        let query: (Int) -> Query = { ["url": "/anything", "status_code": $0] }
        let kept = try await resource.call(.post, .text("body"), query: query(307)).send().json()
        #expect(kept["method"].string == "POST" && kept["data"].string == "body")
        let dropped = try await resource.call(.post, .text("body"), query: query(303)).send().json()
        #expect(dropped["method"].string == "GET" && dropped["data"].string == "")
    }

    @Test(arguments: InteropTransport.allCases, [200, 204, 304, 400, 404, 418, 429, 500, 503])
    func statusesAreDelivered(transport: InteropTransport, code: Int) async throws {
        let response = try await site(transport)["status"][code].call(.get).send()
        #expect(response.status.code == code)
        #expect(response.isSuccessful == (code < 300))
    }

    @Test(arguments: InteropTransport.allCases)
    func linesAreStreamed(transport: InteropTransport) async throws {
        var text = ""
        for try await chunk in try await site(transport)["stream/20"].call(.get).stream() {
            text += String(decoding: chunk.bytes, as: UTF8.self)
        }
        let ids = try text.split(separator: "\n").map { try JSON(parsing: $0)["id"].int }
        #expect(ids == (0..<20).map { $0 })
    }

    @Test(arguments: InteropTransport.allCases)
    func dripsArriveOneByOne(transport: InteropTransport) async throws {
        let stream = try await site(transport)["drip"].call(.get, query: ["numbytes": 4, "duration": 1, "delay": 0])
            .stream()
        #expect(stream.expectedLength == 4)
        var chunks = 0
        var count = 0
        for try await chunk in stream {
            chunks += 1
            count += chunk.count
        }
        #expect(count == 4 && chunks > 1)
    }

    @Test(arguments: InteropTransport.allCases)
    func bytesAreTheSameEachTime(transport: InteropTransport) async throws {
        // Not `bytes/N?seed=`: a seed is for httpbin's whole process, and other tests draw from it.
        let range = try site(transport)["range/102400"]
        let first = try await range.call(.get).send()
        let second = try await range.call(.get).send()
        #expect(first.bytes.bytes == (0..<102_400).map { UInt8(ascii: "a") + UInt8($0 % 26) })
        #expect(first.bytes == second.bytes)
        let chunked = try await site(transport)["stream-bytes/102400"].call(.get, query: ["chunk_size": 999]).send()
        #expect(chunked.headers[.transferEncoding] == "chunked")
        #expect(chunked.bytes.count == 102_400)
    }

    @Test(arguments: InteropTransport.allCases)
    func aDelayBeyondTheTimeoutIsAnError(transport: InteropTransport) async throws {
        // Two minutes: beside a busy test, a process may see its clock and a response of seconds at once.
        let resource = try site(transport)["drip"]
        resource.setRules { $0.timeout = .milliseconds(300) }
        let error = await #expect(throws: CumulusError.self) {
            try await resource.get(query: ["delay": 120, "numbytes": 1])
        }
        #expect(error?.code == .timeout)
        resource.setRules { $0.timeout = .seconds(20) }
        #expect(try await site(transport)["delay/1"].call(.get).send().isSuccessful)
    }

    @Test(arguments: InteropTransport.allCases)
    func aLargeBodyIsEchoed(transport: InteropTransport) async throws {
        let text = String(repeating: "0123456789abcdef", count: 1 << 16)
        let json = try await site(transport)["anything"].call(.put, .text(text)).send().json()
        #expect(json["data"].string == text)
    }
}
