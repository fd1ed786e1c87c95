// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct LeniencyTests {
    @Test(
        "a leniently accepted response ends its connection, and the facts name the dropped fields",
        arguments: [
            ("HTTP/1.1 200 OK\nContent-Length: 2\n\nok", []),
            ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 2\r\n\r\nok", []),
            ("HTTP/1.1 200 OK\r\nSer-ver : x\r\nContent-Length: 2\r\n\r\nok", ["Ser-ver"]),
            ("HTTP/1.1 103 \r\nLink : x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", ["Link"]),
        ]
    )
    func endsTheConnection(_ answer: String, _ dropped: [String]) async throws {
        let server = try await LoopbackServer.start(raw: [.awaitHead, .send(answer), .hold])
        try await withTransport(server) { transport in
            let whole = try await transport.exchange(server.request())
            #expect(whole.text == "ok")
            #expect(whole.facts.droppedFields == dropped)
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test("a download of chunks next to a wrong Content-Length is complete with the last chunk")
    func downloadOfChunks() async throws {
        let answer =
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nhello world\r\n0\r\n\r\n"
        let server = try await LoopbackServer.start(raw: .response(answer))
        try await withTransport(server) { transport in
            let folder = try TemporaryFolder()
            let site = Resource(server.url, transport: transport)
            let file = try await site.download(to: .file("\(folder.path)/file"))
            #expect(file.byteCount == 11)
            let response = try await transport.send(server.request())
            #expect(response.head.headers[.contentLength] == nil)
            #expect(response.head.headers[.transferEncoding] == "chunked")
        }
    }

    @Test("the facts name at most twenty dropped fields, shortened")
    func boundsTheNames() async throws {
        let name = String(repeating: "a", count: 1_000)
        let lines = String(repeating: "\(name) : x\r\n", count: 50)
        let server = try await LoopbackServer.start(
            raw: [.awaitHead, .send("HTTP/1.1 200 OK\r\n\(lines)Content-Length: 2\r\n\r\nok"), .hold]
        )
        try await withTransport(server) { transport in
            let dropped = try await transport.exchange(server.request()).facts.droppedFields
            #expect(dropped.count == 20)
            #expect(dropped.allSatisfy { $0.utf8.count < 250 })
        }
    }
}
