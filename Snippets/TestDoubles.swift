// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting

func stub() async throws {
    // snippet.stub
    let transport = StubTransport { routes in
        routes.on(.get, "/posts/:id", .json(#"{"title":"Clouds"}"#))
        routes.on(.post, "/posts", .json(["id": 8], status: .created, headers: ["X-Total": "8"]))
    }
    let site = Resource("https://api.example.com", transport: transport)

    let post = try await site["posts/1"].get(as: JSON.self)
    assert(post["title"].string == "Clouds")
    assert(transport.lastRequest?.path == "/posts/1")
    // snippet.end
}

func sequence() async throws {
    // snippet.sequence
    let transport = StubTransport { routes in
        // In turn; the last stays.
        routes.on(.get, "/busy", .text("wait", status: .serviceUnavailable), .text("here you are"))
        routes.on(.get, "/broken", .failure(TransportFailure(.connect, "the cable is cut")))
    }
    // snippet.end
    _ = transport
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
    }
    let site = Resource(server.url)
    let text = try await site["posts/7"].get(as: String.self)
    assert(text == "post 7")
    assert(server.requests.last?.path == "/posts/7" && server.counts.requestsReceived == 1)
    await server.shutdown()
    // snippet.end
}

func clock() async throws {
    // snippet.clock
    let clock = ManualClock()
    let transport = StubTransport { routes in
        routes.on(.get, "/slow", StubAnswer.text("at last").delayed(by: .seconds(100)))
    }
    let site = Resource("https://api.example.com", transport: transport)
    site.clock = clock
    site.timeout = .seconds(30)

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
