// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer

/// Server-sent events: a reply that is read as it is written, and a feed that continues after a break.
struct Streams {
    let url: String

    private struct Delta: Decodable, Sendable {
        var text: String
    }

    func visit(_ guide: inout TourGuide) async throws {
        let site = Resource(url)
        guide.chapter("Streams of events")
        try await guide.step(
            "A reply is read as it is written, until its end marker",
            "for try await delta in site[\"chat\"].call(.post, [\"question\": \"Rain?\"])\n"
                + "    .events(as: Delta.self, until: \"[DONE]\") { print(delta.text) }"
        ) {
            var words: [String] = []
            let call = site["chat"].call(.post, ["question": "Rain?"])
            for try await delta in call.events(as: Delta.self, until: "[DONE]") { words.append(delta.text) }
            try check(words == ["No, ", "snow."], "\(words)")
            return words.joined(separator: "\n")
        }
        try await guide.step(
            "A feed whose connection ends continues after the last event",
            "for try await event in site[\"feed\"].events() { print(event.id, event.data) }"
        ) {
            var lines: [String] = []
            for try await event in site["feed"].events() { lines.append("\(event.id ?? "") \(event.data)") }
            try check(lines == ["1 clouds", "2 rain"], "\(lines)")
            return lines.joined(separator: "\n")
        }
    }
}

/// The tour's events: each connection of the feed has one, and the last one ends it.
struct EventService {
    func install(in routes: inout Routes) {
        let headers: Headers = [.contentType: "text/event-stream"]
        routes.post("/chat") { _ in
            .text("data: {\"text\":\"No, \"}\n\ndata: {\"text\":\"snow.\"}\n\ndata: [DONE]\n\n", headers: headers)
        }
        routes.get("/feed") { request in
            switch request.headers["Last-Event-ID"] {
            case nil: .text("retry: 100\nid: 1\ndata: clouds\n\n", headers: headers)
            case "1": .text("id: 2\ndata: rain\n\n", headers: headers)
            default: .status(.noContent)
            }
        }
    }
}
