// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Synchronization

// snippet.transport
/// The client's side of MCP's transport "Streamable HTTP": messages of JSON-RPC by POST, and the server's as events.
final class MCPTransport: Sendable {
    /// The server has ended a stream without the response, and without an ID to continue after.
    struct MissingResponse: Error {}

    private let endpoint: Resource
    private let session = Mutex<String?>(nil)

    init(_ endpoint: Resource) {
        self.endpoint = endpoint.with { $0.headers["MCP-Protocol-Version"] = "2025-06-18" }
    }

    private var headers: Headers { session.withLock { $0.map { ["Mcp-Session-Id": $0] } ?? [:] } }

    /// Sends a message, and calls a function with each message that belongs to it, the last of which is the response.
    ///
    /// The server responds with a JSON document or with events. If those break off before the response, a GET continues
    /// them after the last event ID. A notification has no response.
    ///
    /// - Throws: ``CumulusError``, whose status is 404 once the server has ended the session; ``MissingResponse``.
    func send(_ message: JSON, receive: (JSON) async throws -> Void) async throws {
        let accepted: Headers = ["Accept": "application/json, text/event-stream"]
        let stream = try await endpoint.call(.post, body: message, headers: headers.merging(accepted)).stream()
        if let id = stream.header("Mcp-Session-Id") { session.withLock { $0 = id } }
        switch stream.header("Content-Type").flatMap({ MediaType(parsing: $0) })?.essence {
        case "application/json":
            var document: [UInt8] = []
            for try await piece in stream { document += piece.bytes }
            try await receive(try JSON(parsing: document))
        case "text/event-stream":
            var lastID: String?
            do {
                if try await read(stream.events(), &lastID, until: message, receive) { return }
            } catch let error as CumulusError where error.isTransient && lastID != nil {
            }
            guard let id = lastID else { throw MissingResponse() }
            let resumed = endpoint.call(.get, headers: headers.merging(["Last-Event-ID": "\(id)"])).events()
            if try await !read(resumed, &lastID, until: message, receive) { throw MissingResponse() }
        default:
            // 202: the server has accepted a notification.
            stream.cancel()
        }
    }

    /// Reads messages; returns whether the response was among them.
    private func read(
        _ events: EventStream<ServerSentEvent>,
        _ lastID: inout String?,
        until message: JSON,
        _ receive: (JSON) async throws -> Void
    ) async throws -> Bool {
        for try await event in events {
            lastID = event.id
            // An event without data only announces an ID.
            if event.data.isEmpty { continue }
            let answer = try JSON(parsing: event.data)
            try await receive(answer)
            if answer["method"] == .null, answer["id"] == message["id"] { return true }
        }
        return false
    }

    /// The messages that the server sends by itself, over as many connections as needed.
    ///
    /// A server without such messages responds with 405, which is an error.
    func messages() -> EventStream<JSON> { endpoint.call(.get, headers: headers).events(as: JSON.self) }

    /// Ends the session.
    func close() async throws {
        _ = try await endpoint.delete(headers: headers)
        session.withLock { $0 = nil }
    }
}
// snippet.end

// snippet.use
/// Calls a tool, and prints its progress.
func callTool(_ name: String, at endpoint: Resource) async throws -> JSON {
    let transport = MCPTransport(endpoint)
    let client: JSON = ["protocolVersion": "2025-06-18", "capabilities": [:], "clientInfo": ["name": "atlas"]]
    try await transport.send(["jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client]) { _ in }
    try await transport.send(["jsonrpc": "2.0", "method": "notifications/initialized"]) { _ in }
    var result = JSON.null
    let call: JSON = ["jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": ["name": .string(name)]]
    try await transport.send(call) { message in
        if message["method"] == "notifications/progress" { print(message["params"]["progress"]) }
        result = message["result"]
    }
    try await transport.close()
    return result
}
// snippet.end
