// SPDX-License-Identifier: Apache-2.0

import Cumulus

struct Delta: Codable, Sendable {
    var text: String
}

struct Prompt: Codable, Sendable {
    var question: String
}

struct Price: Codable, Sendable {
    var value: Double
}

func values(site: Resource) async throws {
    // snippet.values
    let stream = try await site["prices"].call(.get).stream()
    for try await price in stream.jsonSequence(as: Price.self, limit: 4_096).skippingInvalid { print(price.value) }
    // snippet.end
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
    }
}
// snippet.end

// snippet.watch
/// Follows a feed from the last stored ID, through restarts of the server and of this program.
func follow(_ feed: Resource, from stored: String?, store: (String) -> Void) async throws {
    let events = feed.call(.get, headers: stored.map { ["Last-Event-ID": $0] } ?? [:])
        .events(heartbeat: .seconds(45))
        .onStateChange { state in
            if case .waiting(_, let error) = state { print("reconnecting", error.map { "after \($0)" } ?? "") }
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
