// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import Testing

@Suite(.timeLimit(.minutes(10))) struct RawScriptTests {
    @Test func sendsExactBytesAfterAHead() async throws {
        try await withLoopbackServer(raw: .response("HTTP/1.1 200 OK\nbroken")) { server in
            let answer = try await RawClient.exchange(server.port, "GET / HTTP/1.1\r\nX: y\r\n\r\n")
            #expect(answer.text == "HTTP/1.1 200 OK\nbroken")
            #expect(server.rawInput() == Array("GET / HTTP/1.1\r\nX: y\r\n\r\n".utf8))
        }
    }

    @Test func awaitsHeadsAndBytesInTurn() async throws {
        let script: RawScript = [
            .awaitHead, .awaitBytes(3), .send("<one>"), .awaitBytes(4), .send("<two>"), .hold,
        ]
        try await withLoopbackServer(raw: script) { server in
            try await RawClient.connect(server.port) { client in
                try await client.send("POST / HTTP/1.1\r\n\r")
                try await client.send("\nabc")
                #expect(try await client.read(until: "<one>") == "<one>")
                try await client.send("d")
                #expect(try await client.read(until: "<two>") == "<one><two>")
                #expect(server.counts.openConnections == 1)
            }
            try await server.waitForOpenConnections(0)
        }
    }

    @Test func splitsAndPauses() async throws {
        let script: RawScript = [
            .split("abcdefg", every: 3, pause: .milliseconds(2)), .pause(.milliseconds(1)), .send("!"),
        ]
        try await withLoopbackServer(raw: script) { server in
            let answer = try await RawClient.connect(server.port) { await $0.readToEnd() }
            #expect(answer.text == "abcdefg!")
            #expect(answer.ending == .closed)
        }
    }

    @Test func resets() async throws {
        try await withLoopbackServer(raw: [.awaitHead, .reset]) { server in
            let answer = try await RawClient.exchange(server.port, "GET / HTTP/1.1\r\n\r\n")
            #expect(answer.ending == .reset)
        }
    }

    @Test func acceptsAndClosesAtOnce() async throws {
        try await withLoopbackServer(raw: [.close]) { server in
            let answer = try await RawClient.connect(server.port) { await $0.readToEnd() }
            #expect(answer.text.isEmpty)
            try await server.waitForOpenConnections(0)
        }
    }

    @Test func acceptsAndNeverAnswers() async throws {
        try await withLoopbackServer(raw: [.hold]) { server in
            try await RawClient.connect(server.port) { client in
                try await client.send("GET / HTTP/1.1\r\n\r\n")
                try await server.waitForOpenConnections(1)
                #expect(server.counts.bytesSent == 0)
            }
            try await server.waitForOpenConnections(0)
        }
    }

    @Test func choosesAScriptByConnection() async throws {
        let server = try await LoopbackServer.start(rawFor: { number in [.send("number \(number)")] })
        let first = try await RawClient.connect(server.port) { await $0.readToEnd() }
        let second = try await RawClient.connect(server.port) { await $0.readToEnd() }
        #expect((first.text, second.text) == ("number 1", "number 2"))
        await server.shutdown()
    }

    @Test func repeatsUntilThePeerLeaves() async throws {
        try await withLoopbackServer(raw: [.repeating([65, 66])]) { server in
            try await RawClient.connect(server.port) { client in
                let text = try await client.read(until: "ABABABAB")
                #expect(text != nil)
            }
            try await server.waitForOpenConnections(0)
        }
    }
}
