// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import ServerTrial
import Synchronization
import Testing

/// Trailers of requests at servers that read them, over HTTP/1.1 and HTTP/2.
@Suite(.enabled(if: InteropServers.trial != nil, "\(InteropServers.reason)"))
struct TrailerTests {
    private static let servers: [ServerUnderTrial] =
        (InteropServers.trial.flatMap { try? ServerUnderTrial.table("\($0)/servers.tsv") } ?? [])
        .filter { ["go", "node"].contains($0.name) }

    @Test("both servers are there, with both versions") func allAreThere() {
        #expect(Set(Self.servers.map(\.description)) == ["go/1.1", "go/2", "node/1.1", "node/2"])
    }

    @Test(
        arguments: servers,
        [[], ["some", "thing"], Array(repeating: String(repeating: "x", count: 20_011), count: 20)]
    )
    func trailersArrive(_ server: ServerUnderTrial, pieces: [String]) async throws {
        let folder = try #require(InteropServers.trial)
        let transport = ServerUnderTrial.transport(trusting: "\(folder)/ca.pem")
        let site = Resource(server.url, transport: transport)
        site.setRules { $0.httpVersion = server.version }
        // Two requests, to see that the connection is in order after the first one.
        for _ in 0..<2 {
            let count = Mutex(0)
            let body = StreamBody { _, writer in
                for piece in pieces {
                    try await writer.write(ByteChunk(piece))
                    count.withLock { $0 += piece.utf8.count }
                }
            }
            let payload = Payload.body(.stream(body)).trailer("X-Sum") { "sum of \(count.withLock(\.self))" }
            let text = try await site["trailers"].post(payload).requireSuccess().text
            let length = pieces.joined().utf8.count
            #expect(text == "\(length) sum of \(length) ")
        }
        await transport.shutdown(.immediate)
    }
}
