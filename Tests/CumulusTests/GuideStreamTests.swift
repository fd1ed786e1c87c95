// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import CumulusTesting
import Synchronization
import Testing

@testable import GuideSnippets

/// The guide's clients of event streams, run against stand-ins.
@Suite(.timeLimit(.minutes(10))) struct GuideStreamTests {
    private static let eventStream: Headers = [.contentType: "text/event-stream"]

    private static func chunk(_ text: String) -> String {
        "data: {\"choices\":[{\"delta\":{\"content\":\"\(text)\"}}]}\n\n"
    }

    // MARK: Chat

    @Test("a reply's texts arrive one by one, and its usage at the end")
    func reply() async throws {
        let gate = Gate()
        try await withLoopbackServer { routes in
            routes.post("/v1/chat/completions") { request in
                let question = try JSON(parsing: request.body)
                holds(question["stream"] == true && question["stream_options"]["include_usage"] == true)
                holds(request.headers[.authorization] == "Bearer k1")
                return .stream(headers: Self.eventStream) { writer in
                    try await writer.write("data: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\n")
                    try await writer.write(Self.chunk("Two "))
                    try await gate.wait()
                    try await writer.write(Self.chunk("words"))
                    try await writer.write(
                        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\n"
                    )
                    try await writer.write("data: [DONE]\n\n")
                }
            }
        } _: { server in
            let client = ChatClient(api: Resource("\(server.url)/v1"), model: "small", key: "k1")
            var texts: [String] = []
            var tokens: Int?
            for try await part in client.reply(to: [.init(role: "user", content: "Hi")]) {
                if part.text.isEmpty {
                    tokens = part.usage?.completionTokens
                } else {
                    texts.append(part.text)
                    gate.open()
                }
            }
            #expect(texts == ["Two ", "words"] && tokens == 2)
            #expect(try await printReply(to: "Hi", by: client) == 2)
        }
    }

    @Test("a question is asked again before the reply begins, and never after it")
    func repeatedQuestion() async throws {
        let count = Mutex(0)
        let transport = StubTransport { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { return .response(.serviceUnavailable, headers: ["Retry-After-Ms": "1"]) }
            let failure = TransportFailure(.connectionClosed, "reset by peer")
            return .script([.chunk(Array(Self.chunk("Two ").utf8)), .fail(failure)], headers: Self.eventStream)
        }
        let client = ChatClient(api: Resource("https://a.example", transport: transport), model: "small", key: "k1")
        var texts: [String] = []
        let error = await #expect(throws: CumulusError.self) {
            for try await part in client.reply(to: []) { texts.append(part.text) }
        }
        #expect(error?.code == .connectionClosed && texts == ["Two "] && count.withLock(\.self) == 2)
    }

    @Test("leaving the loop ends the exchange, and the service's errors are errors of the call")
    func leftReply() async throws {
        let gate = Gate()
        try await withLoopbackServer { routes in
            routes.post("/chat/completions") { request in
                guard request.headers[.authorization] == "Bearer k1" else {
                    return .json(["error": ["message": "no such key"]] as JSON, status: .unauthorized)
                }
                return .stream(headers: Self.eventStream) { writer in
                    try await writer.write(Self.chunk("Two "))
                    try await gate.wait()
                }
            }
        } _: { server in
            let client = ChatClient(api: Resource(server.url), model: "small", key: "k1")
            for try await _ in client.reply(to: []) { break }
            try await server.waitForOpenConnections(0)
            let stranger = ChatClient(api: Resource(server.url), model: "small", key: "k2")
            let error = await #expect(throws: CumulusError.self) { for try await _ in stranger.reply(to: []) {} }
            #expect(error?.statusCode == 401 && error?.description.contains("no such key") == true, "\(error as Any)")
            gate.open()
        }
    }

    @Test("an error that arrives in the middle of a reply is the service's own")
    func brokenReply() async throws {
        let transport = StubTransport { _ -> StubResponse in
            let text = Self.chunk("Two ") + "data: {\"error\":{\"message\":\"overloaded\"}}\n\n"
            return .response(headers: Self.eventStream, body: Array(text.utf8))
        }
        let client = ChatClient(api: Resource("https://a.example", transport: transport), model: "small", key: "k1")
        let error = await #expect(throws: CumulusError.self) { for try await _ in client.reply(to: []) {} }
        #expect(error?.code == .service && error?.description.contains("overloaded") == true, "\(error as Any)")
    }

    // MARK: MCP

    /// A server of MCP: JSON for the first message, events for calls of tools, which break off after the first one.
    private static func install(in routes: inout Routes, _ seen: Seen) {
        let session: Headers = ["Mcp-Session-Id": "s1"]
        routes.on(nil, "/mcp") { request in
            let isKnown = request.headers["Mcp-Session-Id"] == "s1"
            seen.requests.withLock {
                $0.append("\(request.method) \(request.headers["Last-Event-ID"] ?? "-") \(isKnown)")
            }
            guard request.method == .post else {
                if request.method == .delete { return .status(isKnown ? .noContent : .notFound) }
                guard let id = request.headers["Last-Event-ID"] else {
                    let note = "id: n1\ndata: {\"method\":\"notifications/tools/list_changed\"}\n\n"
                    return .text(note, headers: eventStream)
                }
                let result = "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"after\":\"\(id)\"}}"
                return .text("id: e3\ndata: \(result)\n\n", headers: eventStream)
            }
            let message = try JSON(parsing: request.body)
            if message["method"] == "initialize" {
                return .json(["jsonrpc": "2.0", "id": message["id"], "result": [:]] as JSON, headers: session)
            }
            guard isKnown else { return .status(.notFound) }
            if message["id"] == .null { return .status(.accepted) }
            let progress = "{\"method\":\"notifications/progress\",\"params\":{\"progress\":1}}"
            // It announces an ID, sends an event, and then closes.
            return .text("id: e1\ndata:\n\nid: e2\ndata: \(progress)\n\n", headers: eventStream)
        }
    }

    private final class Seen: Sendable { let requests = Mutex<[String]>([]) }

    @Test("a call of a tool is continued by GET after the last event ID, within its session")
    func tool() async throws {
        let seen = Seen()
        try await withLoopbackServer(routes: { Self.install(in: &$0, seen) }) { server in
            let endpoint = Resource("\(server.url)/mcp")
            endpoint.setRules { $0.retry = RetryPolicy(backoff: RetryBackoff(jitter: { 0 })) }
            let result = try await callTool("weather", at: endpoint)
            #expect(result == ["after": "e2"])
            #expect(
                seen.requests.withLock(\.self) == [
                    "POST - false", "POST - true", "POST - true", "GET e2 true", "DELETE - true",
                ]
            )
        }
    }

    @Test("the server's own messages are read by GET; a session that it has ended is an error")
    func serverMessages() async throws {
        try await withLoopbackServer(routes: { Self.install(in: &$0, Seen()) }) { server in
            let transport = MCPTransport(Resource("\(server.url)/mcp"))
            for try await message in transport.messages() {
                #expect(message["method"] == "notifications/tools/list_changed")
                break
            }
            let error = await #expect(throws: CumulusError.self) {
                try await transport.send(["id": 7, "method": "tools/list"]) { _ in }
            }
            #expect(error?.statusCode == 404)
        }
    }

    // MARK: A watch

    @Test("a feed is followed through restarts of the server, and of the program")
    func watch() async throws {
        let starts = Mutex<[String]>([])
        let held = Gate()
        try await withLoopbackServer { routes in
            routes.get("/feed") { request in
                let id = request.headers["Last-Event-ID"] ?? "0"
                starts.withLock { $0.append(id) }
                let number = (Int(id) ?? 0) + 1
                return .stream(headers: Self.eventStream) { writer in
                    try await writer.write("retry: 1\nid: \(number)\ndata: \(number)\n\n")
                    // The server restarts after the other events.
                    if number == 3 || number == 5 { try await held.wait() }
                }
            }
        } _: { server in
            let feed = Resource("\(server.url)/feed")
            feed.setRules { $0.retry = RetryPolicy(backoff: RetryBackoff(jitter: { 0 })) }
            let stored = Mutex<String?>(nil)
            for last in ["3", "5"] {
                let reached = Gate()
                let program = Task { @Sendable in
                    try await follow(feed, from: stored.withLock(\.self)) { id in
                        stored.withLock { $0 = id }
                        if id == last { reached.open() }
                    }
                }
                try await reached.wait()
                program.cancel()
                await #expect(throws: CancellationError.self) { try await program.value }
            }
            #expect(starts.withLock(\.self) == ["0", "1", "2", "3", "4"])
            held.open()
        }
    }
}
