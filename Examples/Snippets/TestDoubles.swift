// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusOAuth
import CumulusTestServer
import CumulusTesting

func stub() async throws {
    let transport = StubTransport { routes in
        routes.on(.get, "/posts/:id", .json(#"{"title":"Clouds"}"#))
        routes.on(.post, "/posts", .json(["id": 8], status: .created, headers: ["X-Total": "8"]))
    }
    let site = Resource("https://api.example.com", transport: transport)

    let post = try await site["posts/1"].get(as: JSON.self)
    assert(post["title"].string == "Clouds")
    assert(transport.lastRequest?.path == "/posts/1")
}

func sequence() async throws {
    // snippet.sequence
    let transport = StubTransport { routes in
        // In sequence; the last one is repeated.
        routes.on(.get, "/busy", .text("wait", status: .serviceUnavailable), .text("here you are"))
        routes.on(.get, "/broken", .failure(TransportFailure(.connect, "the cable is cut")))
    }
    // snippet.end
    _ = transport
}

func stubWithClosures() -> StubTransport {
    // snippet.closures
    let transport = StubTransport { routes in
        routes.on(.post, "/orders") { request in
            var order = try request.json  // throws if the body isn't JSON
            order["id"] = 7
            return .json(order, status: .created)
        }
        routes.on(.get, "/search") { request in .text(request.queryValue("q") ?? "") }
    }
    // snippet.end
    return transport
}

func stubOfEvents() async throws {
    // snippet.events
    let reply = #"data: {"choices":[{"delta":{"content":"Hello"}}]}"# + "\n\n" + "data: [DONE]\n\n"
    let transport = StubTransport { routes in
        routes.on(.post, "/chat/completions", .text(reply, type: .eventStream))
    }
    let client = ChatClient(api: Resource("https://ai.example", transport: transport), model: "small", key: "k1")
    var text = ""
    for try await part in client.reply(to: [.init(role: "user", content: "Hi")]) { text += part.text }
    assert(text == "Hello")
    // snippet.end
}

func placeOfItsOwn(_ site: Resource) async throws {
    // snippet.setting
    let stub = StubTransport { _ in .json(#"{"title":"Clouds"}"#) }
    site["posts"].setRules { $0.transport = stub }  // for all requests at or below /posts
    let offline = site.with { $0.transport = stub }  // only for this copy
    // snippet.end
    _ = offline
}

func loopback() async throws {
    // snippet.loopback
    let server = try await LoopbackServer.start { routes in
        routes.get("/posts/:id") { request in .text("post \(request.parameters["id"] ?? "")") }
        routes.post("/posts") { request in .json(request.text, status: .created) }
        routes.get("/search") { request in .text(request.queryValue("q") ?? "") }
        routes.get("/old") { _ in .redirect(to: "/posts/7") }
        routes.get("/slow") { _ in ServerResponse.text("at last").delayed(by: .seconds(5)) }
        routes.get("/cut") { _ in .script([.chunk(Array("half".utf8)), .close]) }
        routes.get("/file") { _ in .bytes([1, 2, 3], type: .png, headers: ["ETag": "\"1\""]) }
        routes.get("/events") { _ in
            .stream(headers: ["Content-Type": "text/event-stream"]) { try await $0.write("data: 1\n\n") }
        }
    }
    let site = Resource(server.url)
    let text = try await site["posts/7"].get(as: String.self)
    assert(text == "post 7")
    assert(server.requests.last?.path == "/posts/7" && server.counts.requestsReceived == 1)
    await server.shutdown()
    // snippet.end
}

func broken(folder: String) async throws {
    // snippet.broken
    let content = [UInt8](repeating: 7, count: 1_000)
    let server = try await LoopbackServer.start { routes in
        routes.get("/data.bin") { request in
            let headers: Headers = ["ETag": "\"v1\"", "Accept-Ranges": "bytes"]
            guard request.headers[.range] == "bytes=400-" else {
                // A length of 1,000 bytes is announced, and the connection closes after 400.
                let steps: [ServerResponse.Step] = [.chunk(Array(content[..<400])), .close]
                return .script(steps, headers: headers, framing: .contentLength(content.count))
            }
            var part = headers
            part["Content-Range"] = "bytes 400-999/1000"
            return ServerResponse(.partialContent, headers: part, body: Array(content[400...]))
        }
    }
    let file = try await Resource(server.url)["data.bin"].download(to: .directory(folder))
    assert(file.byteCount == 1_000 && server.requests.count == 2)
    await server.shutdown()
    // snippet.end
}

func ownResponses() async throws {
    // snippet.answers
    let server = try await LoopbackServer.start { routes in
        routes.get("/users/:id") { request in
            .json(["id": request.parameters["id"], "visits": 7])  // values of several types
        }
        routes.post("/login") { _ in
            .redirect(to: "/home", headers: ["Set-Cookie": "sid=s1", "Set-Cookie": "theme=dark"])  // two lines
        }
    }
    server.addRoutes { routes in
        let url = server.url  // known only now
        routes.get("/first") { _ in .text("1", headers: ["Link": "<\(url)/second>; rel=\"next\""]) }
    }
    // snippet.end
    await server.shutdown()
}

func identities() async throws {
    // snippet.identities
    let vault = DigestSpace(user: "ada", password: "lovelace")
    let identities = OAuth2Service()  // the client "atlas" (secret "s3cret"), and the user "ada" (password "lovelace")
    let server = try await LoopbackServer.start { routes in
        routes.get("/vault") { request in vault.respond(to: request) { .text("the secret") } }
        identities.install(in: &routes)  // /oauth/token and others
        routes.get("/posts") { request in
            identities.accepts(request) ? .json(["Clouds"]) : .status(.unauthorized)
        }
    }
    let site = Resource(server.url) {
        $0.authorizers = [
            .oauth2(.clientCredentials(id: "atlas", secret: "s3cret"), tokens: "\(server.url)/oauth/token")
        ]
    }
    _ = try await site["posts"].get(as: [String].self)
    identities.expireAccessTokens()  // the next request is refused, and sent again with a new token
    // snippet.end
    await server.shutdown()
}

func proxies(server: LoopbackServer) async throws {
    // snippet.proxy
    var rules = LoopbackProxy.Configuration()
    rules.credentials = Credentials(user: "ada", password: "lovelace")
    let proxy = try await LoopbackProxy.start(rules)
    let site = Resource(server.url)
    let policy = try ProxyPolicy.url(proxy.url)
    site.setRules { $0.proxy = policy }  // http://127.0.0.1:...; `proxy.proxy(.socks5)` is for SOCKS
    do {
        _ = try await site.get()
    } catch let error as CumulusError {
        assert(error.code == .proxy)  // it requires credentials
    }
    let route = try proxy.proxy(.http, credentials: rules.credentials)
    site.setRules { $0.proxy = .by(route) }
    _ = try await site.get()
    assert(proxy.record.heads.count == 2)  // the requests it received
    proxy.shutdown()
    // snippet.end
}

func unanswered() async throws {
    // snippet.unanswered
    let port = try await UnansweredPort.open()
    let nowhere = Resource("http://127.0.0.1:\(port.port)") { $0.connectTimeout = .milliseconds(200) }
    do {
        _ = try await nowhere.get()
    } catch let error as CumulusError {
        assert(error.phase == .connect)
    }
    port.shutdown()
    // snippet.end
}

func clock() async throws {
    // snippet.clock
    let clock = ManualClock()
    let transport = StubTransport { routes in
        routes.on(.get, "/slow", StubResponse.text("at last").delayed(by: .seconds(100)))
    }
    let site = Resource("https://api.example.com", transport: transport) {
        $0.clock = clock
        $0.timeout = .seconds(30)
    }

    let task = Task { try await site["slow"].get() }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(30))  // no time passes, and the request times out
    // snippet.end
    _ = await task.result
}

func conformance(make: @escaping TransportConformance.MakeTransport) async {
    // snippet.conformance
    let list = TransportConformance(makeTransport: make)
    for testCase in TransportConformance.Case.allCases {
        let verdict = await list.run(testCase)
        assert(verdict.isAcceptable, "\(testCase): \(verdict)")
    }
    // snippet.end
}

func practice() async throws {
    // snippet.practice
    let server = try await LoopbackServer.start { PracticeService().install(in: &$0) }
    let item = try await Resource(server.url)["test/get/item"].get(as: JSON.self)
    // snippet.end
    _ = item
    await server.shutdown()
}
