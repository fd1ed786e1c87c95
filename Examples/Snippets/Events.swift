// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation

struct Delta: Codable, Sendable {
    var text: String
}

struct Prompt: Codable, Sendable {
    var question: String
}

struct Price: Codable, Sendable {
    var value: Double
}

func prices(site: Resource) async throws {
    // snippet.values
    let stream = try await site["prices"].call(.get).stream()
    for try await price in stream.jsonSequence(as: Price.self, limit: 4_096).skippingInvalid { print(price.value) }
    // snippet.end
}

func skipped(stream: ResponseStream) async throws {
    // snippet.skipped
    let prices = stream.jsonLines(as: Price.self).skippingInvalid { print("line \($0.line) is skipped: \($0)") }
    // snippet.end
    for try await price in prices { print(price.value) }
}

func feed(site: Resource) async throws {
    // snippet.feed
    for try await event in site["feed"].events() { print(event.type, event.data) }
    // snippet.end
}

func data(site: Resource) async throws {
    // snippet.data
    for try await event in site["feed"].events() { print(event.data) }
    // snippet.end
}

func loops(site: Resource, chat: Call<Response>) async throws {
    // snippet.loops
    for try await event in site["feed"].events() { print(event.type, event.data) }
    for try await delta in chat.events(as: Delta.self, until: "[DONE]") { print(delta.text) }
    // snippet.end
}

// snippet.chat
/// Prints the reply as it is written.
func ask(_ question: String, of site: Resource) async throws {
    let call = site["chat/completions"].call(.post, body: Prompt(question: question))
    for try await delta in call.events(as: Delta.self, types: ["message"], until: "[DONE]") {
        print(delta.text, terminator: "")
        fflush(nil)  // Otherwise, `print` shows text only when a line ends.
    }
}
// snippet.end

// snippet.watch
/// Follows a feed from the last stored ID, through restarts of the server and of this program.
nonisolated(nonsending) func follow(
    _ feed: Resource,
    from stored: String?,
    store: (String) -> Void
) async throws {
    let events = feed.call(.get, headers: stored.map { ["Last-Event-ID": $0] } ?? [:])
        .events(heartbeat: .seconds(45))
        .onStateChange { state in
            guard case .waiting(let end, let error) = state else { return }
            print("reconnecting in", ContinuousClock.now.duration(to: end), error.map { "after \($0)" } ?? "")
        }
    for try await event in events {
        print(event.type, event.data)
        if let id = event.id { store(id) }
    }
}
// snippet.end

func metadata(call: Call<Response>) async throws {
    // snippet.metadata
    for try await (delta, event) in call.events(as: Delta.self).skippingInvalid.withMetadata {
        print(event.id ?? "-", delta.text)
    }
    // snippet.end
}

// snippet.mcp
/// Sends a message to an MCP server and prints the replies, from a stream or from one document.
func send(_ message: JSON, to server: Resource) async throws {
    let call = server.call(.post, body: message)
    for try await reply in call.events(as: JSON.self, reconnect: .byGet, acceptsJSON: true) { print(reply) }
}
// snippet.end

struct Changes: Decodable, Sendable {
    struct Change: Decodable, Sendable {
        var id: String
    }

    var results: [Change]
    var lastSequence: String

    enum CodingKeys: String, CodingKey {
        case results
        case lastSequence = "last_seq"
    }
}

// snippet.changes
/// Follows the changes of a CouchDB database after the last stored sequence, or from the first one.
nonisolated(nonsending) func follow(
    _ database: Resource,
    after stored: String?,
    store: (String) -> Void
) async throws {
    let call = database["_changes"].call(.get, query: ["feed": "longpoll"])
    for try await page in call.follow(as: Changes.self, query: "since", from: stored, cursor: { $0.lastSequence }) {
        for change in page.results { print(change.id) }
        store(page.lastSequence)
    }
}
// snippet.end

struct PodList: Decodable, Sendable {
    struct Metadata: Decodable, Sendable {
        var resourceVersion: String
    }

    var metadata: Metadata
}

struct PodEvent: Decodable, Sendable {
    var type: String
    var object: PodList
}

// snippet.pods
/// Follows the pods of a cluster, even after the cluster has discarded old versions.
func follow(_ pods: Resource, from version: String) async throws {
    let call = pods.call(.get, query: ["watch": 1, "resourceVersion": version])
    let events = call.follow(
        as: PodEvent.self,
        query: "resourceVersion",
        cursor: { $0.object.metadata.resourceVersion },
        restart: { error in
            guard (error as? CumulusError)?.statusCode == 410 else { throw error }
            return try await pods.get(as: PodList.self).metadata.resourceVersion
        }
    )
    for try await event in events { print(event.type) }
}
// snippet.end

struct WatchMessage: Decodable, Sendable {
    var revision: Int
}

struct WatchStart: Encodable, Sendable {
    var revision: Int
}

func lists(site: Resource, watch: Call<Response>, stream: ResponseStream) async throws {
    // snippet.elements
    for try await line in stream.lines { print(line) }
    for try await price in stream.jsonLines(as: Price.self) { print(price.value) }
    // snippet.end
    // snippet.longpoll
    let call = site["db/_changes"].call(.get, query: ["feed": "longpoll"])
    for try await page in call.follow(as: Changes.self, query: "since", cursor: { $0.lastSequence }) {
        print(page.results.count)
    }
    // snippet.end
    // snippet.cursorInBody
    let messages = watch.follow(as: WatchMessage.self, cursor: { $0.revision }) { call, revision in
        call.payload = .json(["create_request": WatchStart(revision: revision + 1)])
    }
    // snippet.end
    for try await message in messages { print(message.revision) }
    // snippet.list
    let pages = site["changes"].follow(query: "since", cursor: { (page: Changes) in page.lastSequence })
    for try await page in pages { print(page.results.count) }
    // snippet.end
}
