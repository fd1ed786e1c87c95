// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct ExchangeTests {
    @Test func sendsARequestAndReadsTheResponse() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.get("/hello") { request in .text("hello \(request.headers[.userAgent] ?? "?")") }
        }
        try await withTransport(server) { transport in
            let answer = try await transport.exchange(
                server.request(.get, "/hello?a=b", headers: [.userAgent: "Atlas/2.1"])
            )
            #expect(answer.status == 200)
            #expect(answer.text == "hello Atlas/2.1")
            let seen = try #require(server.requests.first)
            #expect(seen.target == "/hello?a=b")
            #expect(seen.headers.contains { $0.name.canonicalName == "host" && $0.value == "127.0.0.1:\(server.port)" })
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .post, .put, .patch, .delete, .options])
    func carriesEveryMethod(_ method: HTTPRequest.Method) async throws {
        let server = try await LoopbackServer.start { routes in
            routes.on(nil, "/") { request in .text(request.method.rawValue) }
        }
        try await withTransport(server) { transport in
            let answer = try await transport.exchange(server.request(method))
            #expect(answer.text == (method == .head ? "" : method.rawValue))
            #expect(try await transport.exchange(server.request(method)).facts.isReused)
        }
    }

    @Test func tellsTheFactsOfAnExchange() async throws {
        let server = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("hello") } }
        try await withTransport(server) { transport in
            let first = try await transport.exchange(server.request()).facts
            #expect(!first.isReused)
            #expect(first.phases.connect != nil && first.phases.tls == nil && first.phases.lookup == nil)
            #expect(first.phases.firstByte ?? .zero > .zero)
            #expect(first.phases.lastByte ?? .zero >= first.phases.firstByte ?? .zero)
            #expect(first.remoteAddress == "127.0.0.1:\(server.port)")
            #expect(first.localAddress?.hasPrefix("127.0.0.1:") == true)
            #expect(first.protocolName == "HTTP/1.1")
            #expect(first.bytesSent == Int64("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n".utf8.count))
            #expect(first.bytesReceived > 5)
            let second = try await transport.exchange(server.request()).facts
            #expect(second.isReused && second.phases.connect == nil)
            #expect(second.localAddress == first.localAddress)
            let named = try await transport.exchange(server.request(host: "localhost")).facts
            #expect(named.phases.lookup ?? .zero > .zero && named.phases.connect ?? .zero > .zero)
        }
    }

    @Test func reportsInformationalResponses() async throws {
        let server = try await LoopbackServer.start(
            raw: .response(
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            )
        )
        try await withTransport(server) { transport in
            let seen = Mutex<[String]>([])
            var request = server.request()
            request.onInformational = { head in
                seen.withLock { $0.append("\(head.status.code) \(head.headerFields.map(\.value).joined())") }
            }
            try await transport.check(request, answers: "ok")
            #expect(seen.withLock { $0 } == ["100 ", "103 </a>"])
        }
    }

    @Test func deliversTrailers() async throws {
        let server = try await LoopbackServer.start(
            raw: .response("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n")
        )
        try await withTransport(server) { transport in
            let answer = try await transport.exchange(server.request())
            #expect(answer.text == "ok")
            #expect(answer.trailers.first { $0.name.canonicalName == "x-sum" }?.value == "7")
        }
    }

    @Test(arguments: [1, 7, 1_000])
    func readsAResponseHoweverItIsCut(_ size: Int) async throws {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: b\r\n\r\n4\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n"
        let server = try await LoopbackServer.start(raw: [.awaitHead, .split(text, every: size), .close])
        try await withTransport(server) { transport in
            try await transport.check(server.request(), answers: "Wikipedia")
        }
    }

    @Test func readsABodyThatEndsWithTheConnection() async throws {
        let server = try await LoopbackServer.start(raw: .response("HTTP/1.0 200 OK\r\n\r\nall of it"))
        try await withTransport(server) { transport in
            try await transport.check(server.request(), answers: "all of it")
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test func refusesWhatCantBeWritten() async throws {
        let server = try await LoopbackServer.start()
        try await withTransport(server) { transport in
            let line = try #require(HTTPField.Name("X-A"))
            let cases: [TransportRequest] = [
                server.request(.get, "/a b"), server.request(.get, "/a\r\nX: y"), server.request(.get, ""),
                server.request(.get, "nopath"), server.request(.get, "http://evil/"), server.request(.get, "*"),
                server.request(.get, "/", headers: [.contentLength: "5"]),
                server.request(.get, "/", headers: HTTPFields([HTTPField(name: line, lenientValue: [1])])),
            ]
            let lengths: [RequestBody] = [
                .file(FileBody(path: "/", length: -1)), .file(FileBody(path: "/", offset: -1, length: 1)),
                .file(FileBody(path: "/", offset: .max, length: 1)), .stream(StreamBody(length: -1) { _, _ in }),
            ]
            for request in cases + lengths.map({ server.request(.put, body: $0) }) {
                let failure = await transport.failure(request)
                #expect(failure?.kind == .invalidRequest)
                #expect(failure?.fate == .unsent)
            }
            #expect(server.counts.connectionsAccepted == 0)
        }
    }

    @Test func runsManyExchangesAtOnce() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.get("/:n") { request in .text(request.parameters["n"] ?? "") }
        }
        try await withTransport(server) { transport in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for worker in 0..<32 {
                    group.addTask {
                        for turn in 0..<20 {
                            let text = "\(worker)-\(turn)"
                            guard try await transport.exchange(server.request(.get, "/\(text)")).text == text else {
                                return false
                            }
                        }
                        return true
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
            let usage = await transport.poolUsage()
            #expect(usage.connections == usage.idleConnections && usage.connections <= 32 && usage.exchanges == 0)
            await transport.shutdown()
            #expect(await transport.poolUsage() == NIOTransport.PoolUsage())
        }
    }
}
