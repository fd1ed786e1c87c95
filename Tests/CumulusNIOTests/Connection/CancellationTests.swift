// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct CancellationTests {
    @Test func cancellingBeforeTheHeadClosesTheConnection() async throws {
        let server = try await LoopbackServer.start(raw: [.awaitHead, .hold])
        try await withTransport(server) { transport in
            let task = Task { try await transport.exchange(server.request()) }
            try await server.waitForRequests(1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await server.waitForOpenConnections(0)
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test func cancellingWhileConnectingLeavesNothing() async throws {
        let server = try await LoopbackServer.start(raw: [.hold])
        try await withTransport(server) { transport in
            var request = server.request()
            request.origin = Origin(scheme: .https, host: "127.0.0.1", port: server.port)
            let task = Task { [request] in try await transport.exchange(request) }
            try await server.waitForConnections(1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await server.waitForOpenConnections(0)
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test func cancellingInLineLeavesTheOthersTheirTurn() async throws {
        let gate = Gate()
        let server = try await LoopbackServer.start { routes in
            routes.get("/slow") { _ in
                try await gate.wait()
                return .text("slow")
            }
            routes.get("/") { _ in .text("ok") }
        }
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerOrigin = 1
        try await withTransport(server, configuration) { transport in
            let slow = Task { try await transport.exchange(server.request(.get, "/slow")) }
            try await server.waitForRequests(1)
            let waiting = Task { try await transport.exchange(server.request()) }
            let next = Task { try await transport.exchange(server.request()) }
            // There is no other signal; a loop that only yields would occupy the threads.
            while try await transport.runningCount() < 3 { try await Task.sleep(for: .milliseconds(1)) }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            gate.open()
            #expect(try await slow.value.text == "slow")
            #expect(try await next.value.text == "ok")
            try await transport.waitForConnections(all: 1, idle: 1)
        }
    }

    @Test func aTaskThatIsCancelledAlreadySendsNothing() async throws {
        let server = try await LoopbackServer.start()
        try await withTransport(server) { transport in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await transport.exchange(server.request())
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(server.counts.connectionsAccepted == 0)
        }
    }

    @Test func cancellingWhileReadingTheBodyClosesTheConnection() async throws {
        let server = try await LoopbackServer.start(
            raw: [.awaitHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), .hold]
        )
        try await withTransport(server) { transport in
            let response = try await transport.send(server.request())
            #expect(try await response.body.next()?.count == 5)
            let task = Task { try await response.body.next() }
            while !task.isCancelled { task.cancel() }
            await #expect(throws: CancellationError.self) { try await task.value }
            await #expect(throws: CancellationError.self) { try await response.body.next() }
            try await server.waitForOpenConnections(0)
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test func droppingTheBodyClosesTheConnection() async throws {
        let server = try await LoopbackServer.start(
            raw: [.awaitHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), .hold]
        )
        try await withTransport(server) { transport in
            do {
                let response = try await transport.send(server.request())
                #expect(response.head.status == .ok)
            }
            try await server.waitForOpenConnections(0)
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test func droppingABodyThatIsHereWholeKeepsTheConnection() async throws {
        let server = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("ok") } }
        try await withTransport(server) { transport in
            for _ in 0..<3 { _ = try await transport.send(server.request()) }
            #expect(server.counts.connectionsAccepted == 1)
            try await transport.waitForConnections(all: 1, idle: 1)
        }
    }

    @Test func manyCancelsAtAnyMomentLeaveNothing() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.get("/") { _ in
                .stream { writer in
                    for _ in 0..<20 { try await writer.write([UInt8](repeating: 7, count: 2_000)) }
                }
            }
        }
        try await withTransport(server) { transport in
            var random = SplitMix(state: 3)
            for _ in 0..<40 {
                let tasks = (0..<8).map { _ in Task { try await transport.exchange(server.request()) } }
                for task in tasks {
                    for _ in 0..<(random.next() % 300) { await Task.yield() }
                    task.cancel()
                }
                for task in tasks {
                    do {
                        #expect(try await task.value.text.utf8.count == 40_000)
                    } catch {
                        #expect(error is CancellationError)
                    }
                }
            }
            let counts = try await transport.connectionCounts()
            #expect(counts.all == counts.idle)
            #expect(try await transport.runningCount() == 0)
        }
    }
}
