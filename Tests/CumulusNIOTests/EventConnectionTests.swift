// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Streams of events and values on real connections.
@Suite(.timeLimit(.minutes(10))) struct EventConnectionTests {
    private struct Delta: Codable, Sendable, Equatable { var text: String }

    private struct Page: Decodable, Sendable { var last: Int }

    @Test func connectionIsUsedAgainAfterTheSentinel() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.post("/chat") { _ in
                let events = ["data: {\"text\":\"a\"}\n\n", "data: [DONE]\n\n"]
                return .script(
                    events.map { .chunk(Array($0.utf8)) },
                    headers: [.contentType: "text/event-stream"]
                )
            }
        }
        try await withTransport(server) { transport in
            // With a manual clock, the end of the body never arrives too late.
            let site = Resource(server.url, transport: transport.watched) { $0.clock = ManualClock() }
            for _ in 0..<3 {
                let stream = site["chat"].call(.post, body: ["n": 1]).events(as: Delta.self, until: "[DONE]")
                var deltas: [Delta] = []
                for try await delta in stream { deltas.append(delta) }
                #expect(deltas == [Delta(text: "a")])
            }
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test func longPollsUseOneConnection() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.get("/changes") { request in
                let since = request.queryValue("since").flatMap { Int($0) } ?? 0
                return .json("{\"last\":\(since + 1)}")
            }
        }
        try await withTransport(server) { transport in
            let site = Resource(server.url, transport: transport.watched)
            var pages: [Int] = []
            for try await page in site["changes"].follow(as: Page.self, query: "since", cursor: { $0.last }) {
                pages.append(page.last)
                if pages.count == 20 { break }
            }
            #expect(pages == Array(1...20))
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test func responseIsTheBodyOfAnotherRequest() async throws {
        let text = String(repeating: "0123456789", count: 200_000)
        let server = try await LoopbackServer.start { routes in
            routes.get("/camera") { _ in .text(text) }
            routes.put("/archive") { request in
                .text("\(request.body.count) \(request.headers[.contentLength] ?? "chunked")")
            }
        }
        try await withTransport(server) { transport in
            let site = Resource(server.url, transport: transport.watched)
            let copied = try await site["archive"].put(.stream(site["camera"].call(.get).stream()))
            #expect(copied.text == "2000000 2000000")
            let ticks = AsyncStream { continuation in
                for text in ["a", "b"] { continuation.yield(Delta(text: text)) }
                continuation.finish()
            }
            #expect(try await site["archive"].put(.jsonArray(ticks)).text == "27 chunked")
        }
    }
}
