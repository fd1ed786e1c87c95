// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Testing

@Suite(.timeLimit(.minutes(10))) struct ServerFaultTests {
    private static let get = "GET /x HTTP/1.1\r\nHost: x\r\n\r\n"
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"

    /// A server whose only route sends ten bytes.
    private static func server(_ script: FaultScript) async throws -> LoopbackServer {
        try await LoopbackServer.start(configuration: .init(faults: script)) { routes in
            routes.get("/x") { _ in ServerResponse(body: Array("0123456789".utf8)) }
        }
    }

    private static func answer(_ faults: ServerFault...) async throws -> (text: String, ending: RawClient.Ending) {
        let server = try await server(FaultScript { _ in faults })
        let answer = try await RawClient.exchange(server.port, get)
        await server.shutdown()
        return answer
    }

    @Test func bodyIsCutAtAByte() async throws {
        let cut = try await Self.answer(.cut(at: 4))
        #expect(cut == (Self.head + "0123", .closed))
        #expect(try await Self.answer(.cut(at: 0)) == (Self.head, .closed))
        #expect(try await Self.answer(.cut(at: 99)) == (Self.head + "0123456789", .closed))
    }

    @Test func connectionIsResetAtAByte() async throws {
        let reset = try await Self.answer(.reset(at: 4))
        #expect(reset.ending == .reset)
        // The reset may overtake the bytes.
        #expect((Self.head + "0123").hasPrefix(reset.text))
    }

    @Test func bodyDrips() async throws {
        let dripped = try await Self.answer(.drip(bytes: 3, every: .milliseconds(1)), .cut(at: 8))
        #expect(dripped == (Self.head + "01234567", .closed))
    }

    @Test func announcedLengthIsWrong() async throws {
        let long = try await Self.answer(.wrongLength(by: 5))
        #expect(long.text == "HTTP/1.1 200 OK\r\nContent-Length: 15\r\nConnection: close\r\n\r\n0123456789")
        let short = try await Self.answer(.wrongLength(by: -12))
        #expect(short.text.hasPrefix("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"))
    }

    @Test func informationalResponseComesFirst() async throws {
        let hinted = try await Self.answer(.earlyHints(link: "</a>"), .delay(.milliseconds(1)), .cut(at: 1))
        #expect(hinted.text == "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + Self.head + "0")
    }

    @Test func noResponseArrives() async throws {
        #expect(try await Self.answer(.close) == ("", .closed))
        #expect(try await Self.answer(.goAway) == ("", .closed))
        #expect(try await Self.answer(.resetStream(errorCode: 7)).ending == .reset)
        let garbage = try await Self.answer(.garbage, .cut(at: 4))
        #expect(!garbage.text.isEmpty && !garbage.text.contains("HTTP"))
    }

    @Test func silentConnectionsStayOpen() async throws {
        for (fault, text) in [(ServerFault.silence, ""), (.stallAfterHead, Self.head)] {
            let server = try await Self.server(.sequence([fault]))
            try await RawClient.connect(server.port) { client in
                try await client.send(Self.get)
                try await server.waitForRequests(1)
                if !text.isEmpty { #expect(try await client.read(until: "\r\n\r\n") == text) }
                #expect(server.counts.openConnections == 1 && server.counts.requestsAnswered == 0)
            }
            try await server.waitForOpenConnections(0)
            await server.shutdown()
        }
    }

    @Test("each request has its own faults, and later ones have none") func sequence() async throws {
        let server = try await Self.server(.sequence([], [.cut(at: 2)], [.close]))
        try await RawClient.connect(server.port) { client in
            try await client.send(Self.get)
            #expect(try await client.read(until: "6789") == Self.head + "0123456789")
            try await client.send(Self.get)
            #expect(await client.readToEnd().text == Self.head + "0123456789" + Self.head + "01")
        }
        #expect(try await RawClient.exchange(server.port, Self.get).text.isEmpty)
        let last = try await RawClient.exchange(
            server.port,
            Self.get.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")
        )
        #expect(last.text.hasSuffix("0123456789"))
        #expect(server.requests.map(\.number) == [1, 2, 3, 4])
        await server.shutdown()
    }

    @Test("the route doesn't run in place of a response, but runs before a cut") func routesAndFaults() async throws {
        let server = try await LoopbackServer.start(configuration: .init(faults: .sequence([.close], [.cut(at: 1)]))) {
            $0.get("/x") { request in .text("\(request.number)", headers: ["X-Ran": "yes"]) }
        }
        #expect(try await RawClient.exchange(server.port, Self.get).text.isEmpty)
        #expect(try await RawClient.exchange(server.port, Self.get).text.contains("X-Ran: yes"))
        await server.shutdown()
    }

    @Test("a route's own response, with a body in chunks, can fail too") func failingResponse() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.get("/x") { _ in .script([.chunk([65, 66]), .chunk([67, 68])]).failing(.cut(at: 3)) }
            routes.get("/close") { _ in .text("x").failing(.close) }
        }
        #expect(try await RawClient.exchange(server.port, Self.get).text.hasSuffix("2\r\nAB\r\n1\r\nC\r\n"))
        #expect(try await RawClient.exchange(server.port, Self.get.replacing("/x", with: "/close")).text.isEmpty)
        await server.shutdown()
    }
}
