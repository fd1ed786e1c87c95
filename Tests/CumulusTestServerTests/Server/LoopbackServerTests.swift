// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(10))) struct LoopbackServerTests {
    private static let get = "GET /x HTTP/1.1\r\nHost: x\r\n\r\n"
    private static let getAndClose = "GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

    @Test func givesTheRouteTheWholeRequest() async throws {
        try await withLoopbackServer(routes: { $0.post("/items/:id") { .text($0.text) } }) { server in
            let answer = try await RawClient.exchange(
                server.port,
                "POST /items/7%2B?a=1&b=x%20y&c&a=2+3 HTTP/1.1\r\nHost: h:1\r\nX-A: 1\r\nx-a: 2\r\n"
                    + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-T: t\r\n\r\n"
            )
            #expect(answer.text.hasSuffix("\r\n\r\nabcde"))
            #expect(answer.ending == .closed)
            let request = try #require(server.requests.first)
            #expect(request.method == .post)
            #expect(request.target == "/items/7%2B?a=1&b=x%20y&c&a=2+3")
            #expect(request.path == "/items/7%2B")
            #expect(request.query == "a=1&b=x%20y&c&a=2+3")
            #expect(request.parameters == ["id": "7+"])
            #expect(request.queryItems.map(\.name) == ["a", "b", "c", "a"])
            #expect(request.queryItems.map(\.value) == ["1", "x y", nil, "2 3"])
            #expect(request.queryValue("b") == "x y")
            #expect(request.headers[values: .init("X-A")!] == ["1", "2"])
            #expect(request.headers[.init("host")!] == "h:1")
            #expect(request.text == "abcde")
            #expect(request.trailers[.init("X-T")!] == "t")
            #expect((request.connection, request.numberOnConnection) == (1, 1))
        }
    }

    @Test func servesSeveralRequestsOnAConnection() async throws {
        try await withLoopbackServer(routes: { $0.get("/x") { .text("<\($0.numberOnConnection)>") } }) { server in
            try await RawClient.connect(server.port) { client in
                for number in 1...3 {
                    try await client.send(Self.get)
                    #expect(try await client.read(until: "<\(number)>") != nil)
                }
                // Two at once, answered in order.
                try await client.send(Self.get + Self.getAndClose)
                let end = await client.readToEnd()
                #expect(end.text.contains("<4>"))
                #expect(end.text.hasSuffix("<5>"))
                #expect(end.ending == .closed)
            }
            #expect(server.requests.map(\.connection) == [1, 1, 1, 1, 1])
            try await server.waitForOpenConnections(0)
            #expect(server.counts.connectionsAccepted == 1)
            #expect(server.counts.requestsAnswered == 5)
        }
    }

    @Test func closesAfterAnAnswerToHTTP10() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in .script([.chunk(Array("ab".utf8)), .chunk(Array("cd".utf8))]) }
        }) { server in
            let answer = try await RawClient.exchange(server.port, "GET /x HTTP/1.0\r\n\r\n")
            #expect(answer.text == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabcd")
        }
    }

    @Test func writesScriptsChunkByChunkWithTrailersAndInformationalAnswers() async throws {
        let gate = Gate()
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in
                var response = ServerResponse.script([
                    .chunk(Array("one".utf8)), .gate(gate), .chunk(Array("two".utf8)),
                ])
                response.informational = [HTTPResponse(status: .earlyHints, headerFields: [.init("Link")!: "</a>"])]
                response.trailers = [.init("X-Sum")!: "6"]
                return response.delayed(by: .milliseconds(1))
            }
        }) { server in
            try await RawClient.connect(server.port) { client in
                try await client.send(Self.getAndClose)
                let start = try await client.read(until: "3\r\none\r\n")
                #expect(
                    start == "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n"
                        + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\none\r\n"
                )
                #expect(server.counts.requestsAnswered == 0)
                gate.open()
                let end = await client.readToEnd()
                #expect(end.text.hasSuffix("3\r\ntwo\r\n0\r\nX-Sum: 6\r\n\r\n"))
            }
        }
    }

    @Test func streamsFromAClosureAndCutsItOff() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in
                .stream { writer in
                    try await writer.write("abc")
                    throw ServerResponse.Abort.close
                }
            }
        }) { server in
            let answer = try await RawClient.exchange(server.port, Self.get)
            #expect(answer.text.hasSuffix("3\r\nabc\r\n"))
            #expect(server.counts.requestsAnswered == 0)
        }
    }

    @Test func declaresALengthThatIsNotTrue() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in .script([.chunk([65]), .close], framing: .contentLength(10)) }
        }) { server in
            let answer = try await RawClient.exchange(server.port, Self.get)
            #expect(answer.text == "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nA")
        }
    }

    @Test func sendsNoBodyWhereNoneBelongs() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/none") { _ in ServerResponse(.noContent, body: [65]) }
            $0.get("/same") { _ in ServerResponse(.notModified, headers: [.eTag: "\"1\""], body: [65]) }
        }) { server in
            let none = try await RawClient.exchange(
                server.port,
                "GET /none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            )
            #expect(none.text == "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
            let same = try await RawClient.exchange(
                server.port,
                "GET /same HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            )
            #expect(same.text == "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nConnection: close\r\n\r\n")
        }
    }

    @Test func answersWithRawBytesOnARoute() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in .raw([.split("no HTTP at all\n", every: 4), .reset]) }
        }) { server in
            let answer = try await RawClient.exchange(server.port, Self.get)
            #expect(answer.ending == .reset)
        }
    }

    @Test func refusesABodyOverTheLimit() async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.bodyLimit = 10
        try await withLoopbackServer(configuration: configuration, routes: { $0.post("/x") { .text($0.text) } }) {
            server in
            try await RawClient.connect(server.port) { client in
                try await client.send("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n01234567890")
                #expect(try await client.read(until: "413") != nil)
            }
            #expect(server.counts.failures == 1)
            #expect(server.counts.requestsReceived == 0)
        }
    }

    @Test func answersBeforeTheBodyIsThere() async throws {
        try await withLoopbackServer(routes: {
            $0.on(.post, "/early", body: .discarded) { _ in .text("early") }
        }) { server in
            try await RawClient.connect(server.port) { client in
                try await client.send("POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n01")
                #expect(try await client.read(until: "early") != nil)
                try await client.send(
                    "234POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                )
                #expect(await client.readToEnd().text.split(separator: "\r\n\r\nearly").count == 2)
            }
        }
    }

    @Test func stopsAnUploadThatNobodyReads() async throws {
        let gate = Gate()
        try await withLoopbackServer(routes: {
            $0.on(.post, "/stuck", body: .unread) { _ in
                try await gate.wait()
                return .text("enough")
            }
        }) { server in
            try await RawClient.connect(server.port) { client in
                try await client.send("POST /stuck HTTP/1.1\r\nHost: x\r\nContent-Length: 67108864\r\n\r\n")
                client.sendWithoutWaiting([UInt8](repeating: 65, count: 64 * 1024 * 1024))
                try await server.waitForRequests(1)
                #expect(server.counts.bodyBytesRead == 0)
                gate.open()
                #expect(try await client.read(until: "enough") != nil)
            }
        }
    }

    @Test func readsAStreamedBodyPieceByPiece() async throws {
        try await withLoopbackServer(routes: {
            $0.onStream(.post, "/up") { _, body in
                .stream { writer in
                    while let piece = try await body.next() { try await writer.write(piece) }
                }
            }
        }) { server in
            try await RawClient.connect(server.port) { client in
                try await client.send(
                    "POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\nExpect: 100-continue\r\n\r\n"
                )
                #expect(try await client.read(until: "100 Continue\r\n\r\n") != nil)
                try await client.send("abc")
                #expect(try await client.read(until: "3\r\nabc\r\n") != nil)
                try await client.send("def")
                #expect(try await client.read(until: "3\r\ndef\r\n0\r\n\r\n") != nil)
            }
        }
    }

    @Test func recordsAMalformedRequestAndARouteThatThrows() async throws {
        struct Broken: Error {}
        try await withLoopbackServer(routes: { $0.get("/x") { _ in throw Broken() } }) { server in
            let nonsense = try await RawClient.exchange(server.port, "nonsense\r\n\r\n")
            #expect(nonsense.text.hasPrefix("HTTP/1.1 400 "))
            let broken = try await RawClient.exchange(server.port, Self.get)
            #expect(broken.text.hasPrefix("HTTP/1.1 500 "))
            #expect(server.failures.count == 2)
            #expect(server.failures.last?.contains("Broken") == true)
        }
    }

    @Test func cancelsARouteWhoseClientLeft() async throws {
        let left = Gate()
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in
                do { try await Gate().wait() } catch { left.open() }
                return .text("too late")
            }
        }) { server in
            try await RawClient.connect(server.port) { client in
                try await client.send(Self.get)
                try await server.waitForRequests(1)
            }
            try await left.wait()
            try await server.waitForOpenConnections(0)
        }
    }

    @Test func stopsSendingToAClientThatDoesNotRead() async throws {
        try await withLoopbackServer(routes: {
            $0.get("/x") { _ in .script([.repeating([UInt8](repeating: 65, count: 65536))]) }
        }) { server in
            try await RawClient.connect(server.port) { client in
                try await client.send(Self.get)
                try await server.waitForRequests(1)
                let sent = try await server.waitForSendingToStall()
                #expect(sent > 0)
                #expect(sent < 32 * 1024 * 1024)
            }
        }
    }

    @Test func keepsABoundedLog() async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.logLimit = 3
        configuration.loggedBytesLimit = 5
        try await withLoopbackServer(configuration: configuration, routes: { $0.post("/x") { .text($0.text) } }) {
            server in
            for body in ["a", "b", "c", "dd", "eee"] {
                _ = try await RawClient.exchange(
                    server.port,
                    "POST /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
            }
            #expect(server.requests.map(\.text) == ["dd", "eee"])
            #expect(server.counts.requestsReceived == 5)
        }
    }

    @Test func aWaitThatComesToNothingSaysWhy() async throws {
        try await withLoopbackServer { server in
            await #expect(throws: LoopbackServer.WaitTimeout.self) {
                try await server.waitForConnections(1, within: .milliseconds(10))
            }
        }
    }

    @Test func shutdownEndsConnectionsAndFreesThePort() async throws {
        let server = try await LoopbackServer.start { $0.get("/x") { _ in .silence } }
        try await RawClient.connect(server.port) { client in
            try await client.send(Self.get)
            try await server.waitForRequests(1)
            await server.shutdown()
            _ = await client.readToEnd()
        }
        #expect(server.counts.openConnections == 0)
        await server.shutdown()
        await #expect(throws: (any Error).self) { _ = try await RawClient.exchange(server.port, Self.get) }
    }

    @Test func stopsWhenNobodyHoldsIt() async throws {
        var server: LoopbackServer? = try await LoopbackServer.start()
        let port = try #require(server).port
        try await RawClient.connect(port) { client in
            server = nil
            _ = await client.readToEnd()
        }
        #expect(server == nil)
    }
}
