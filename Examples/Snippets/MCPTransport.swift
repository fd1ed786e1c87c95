// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Synchronization

// snippet.transport
/// The client's side of MCP's transport "Streamable HTTP": messages of JSON-RPC by POST, and the server's as events.
struct MCPTransport: Sendable {
    /// The server's messages have ended without the response.
    struct MissingResponse: Error {}

    private final class Session: Sendable {
        private let value = Mutex<String?>(nil)

        var id: String? { value.withLock(\.self) }

        func set(_ id: String?) { value.withLock { $0 = id } }
    }

    private let endpoint: Resource
    private let session: Session

    init(_ endpoint: Resource) {
        let session = Session()
        self.session = session
        self.endpoint = endpoint.with {
            $0.headers["MCP-Protocol-Version"] = "2025-06-18"
            // Also for requests that continue a stream.
            $0.preflights.append { draft in if let id = session.id { draft.headers["Mcp-Session-Id"] = id } }
            $0.observers.append(
                CallObserver { event in
                    guard case .responded(let head) = event.kind, let id = head.headers["Mcp-Session-Id"] else {
                        return
                    }
                    session.set(id)
                }
            )
        }
    }

    /// Sends a message, and calls a function with each message that belongs to it, the last of which is the response.
    ///
    /// The server responds with a JSON document or with events. If those break off before the response, a GET continues
    /// them after the last event ID. A notification has no response.
    ///
    /// - Throws: ``CumulusError``, whose status is 404 once the server has ended the session; ``MissingResponse``.
    nonisolated(nonsending) func send(_ message: JSON, receive: (JSON) async throws -> Void) async throws {
        let call = endpoint.call(.post, body: message)
        for try await answer in call.events(as: JSON.self, reconnect: .byGet, acceptsJSON: true) {
            try await receive(answer)
            if answer["method"] == .null, answer["id"] == message["id"] { return }
        }
        if message["id"] != .null { throw MissingResponse() }
    }

    /// The messages that the server sends by itself, over as many connections as needed.
    ///
    /// A server without such messages responds with 405, which is an error.
    func messages() -> EventStream<JSON> { endpoint.call(.get).events(as: JSON.self) }

    /// Ends the session.
    func close() async throws {
        _ = try await endpoint.delete()
        session.set(nil)
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
