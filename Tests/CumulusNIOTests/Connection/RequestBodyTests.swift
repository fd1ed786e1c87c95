// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusNIO

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(10))) struct RequestBodyTests {
    private struct Trouble: Error {}

    private func echo(tls: ServerTLS? = nil) async throws -> LoopbackServer {
        try await LoopbackServer.start(tls: tls) { routes in
            routes.on(nil, "/") { request in
                let length = request.headers[.contentLength] ?? request.headers[.transferEncoding] ?? "none"
                return .text("\(length) \(request.body.count) \(RequestBodyTests.digest(request.body))")
            }
        }
    }

    /// Tells bytes apart in this process, in a debug build much sooner than a sum of our own.
    private static func digest(_ bytes: [UInt8]) -> Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private func expected(_ bytes: [UInt8], framing: String? = nil) -> String {
        "\(framing ?? String(bytes.count)) \(bytes.count) \(RequestBodyTests.digest(bytes))"
    }

    private func sample(_ count: Int) -> [UInt8] {
        // In blocks, since a debug build takes a second byte by byte; of a prime length, so that none aligns with a piece.
        let block = (0..<4_099).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 9) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += block }
        return Array(bytes.prefix(count))
    }

    private func withFile(_ bytes: [UInt8], _ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("cumulus-\(UUID().uuidString)").path
        #expect(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
        do {
            try await body(path)
            try FileManager.default.removeItem(atPath: path)
        } catch {
            try FileManager.default.removeItem(atPath: path)
            throw error
        }
    }

    @Test(arguments: [0, 1, 16_384, 16_385, 3_000_000])
    func sendsBytes(_ count: Int) async throws {
        let server = try await echo()
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerOrigin = 1
        try await withTransport(server, configuration) { transport in
            let bytes = sample(count)
            for _ in 0..<2 {
                let request = server.request(.post, body: .bytes(ByteChunk(bytes)))
                let answer = try await transport.exchange(request)
                #expect(answer.text == expected(bytes))
                #expect(answer.facts.bytesSent > Int64(count))
            }
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test(arguments: [false, true])
    func sendsAFileOrARangeOfIt(_ isSecure: Bool) async throws {
        let authority = try TestCertificateAuthority()
        let server = try await echo(tls: isSecure ? .issued(by: authority) : nil)
        var configuration = NIOTransport.Configuration()
        configuration.tls.trustRoots = .pem(authority.rootPEM)
        let bytes = sample(5_000_000)
        try await withFile(bytes) { path in
            try await withTransport(server, configuration) { transport in
                let whole = RequestBody.file(FileBody(path: path, length: Int64(bytes.count)))
                let first = try await transport.exchange(server.request(.put, body: whole))
                #expect(first.text == expected(bytes))
                let range = RequestBody.file(FileBody(path: path, offset: 1_000, length: 700_001))
                let second = try await transport.exchange(server.request(.put, body: range))
                #expect(second.text == expected(Array(bytes[1_000..<701_001])))
                let none = RequestBody.file(FileBody(path: path, offset: 5, length: 0))
                let third = try await transport.exchange(server.request(.put, body: none))
                #expect(third.text == expected([]))
                #expect(server.counts.connectionsAccepted == 1)
            }
        }
    }

    @Test func aFileThatIsMissingOrTooShortIsAFailure() async throws {
        let server = try await echo()
        try await withFile([1, 2, 3]) { path in
            try await withTransport(server) { transport in
                let bodies = [
                    FileBody(path: path, length: 4), FileBody(path: path, offset: 2, length: 2),
                    FileBody(path: path + "-not", length: 1),
                ]
                for body in bodies {
                    let failure = await transport.failure(server.request(.put, body: .file(body)))
                    #expect(failure?.kind == .requestBody)
                    #expect(failure?.message.contains(body.path) == true)
                }
                try await transport.waitForConnections(all: 0, idle: 0)
            }
        }
    }

    @Test(arguments: [nil, 600_000] as [Int64?])
    func streamsABody(_ length: Int64?) async throws {
        let server = try await echo()
        try await withTransport(server) { transport in
            let bytes = sample(600_000)
            let body = StreamBody(length: length) { _, writer in
                for start in stride(from: 0, to: bytes.count, by: 7_001) {
                    try await writer.write(ByteChunk(Array(bytes[start..<min(start + 7_001, bytes.count)])))
                }
            }
            let answer = try await transport.exchange(server.request(.post, body: .stream(body)))
            #expect(answer.text == expected(bytes, framing: length == nil ? "chunked" : nil))
            try await transport.waitForConnections(all: 1, idle: 1)
        }
    }

    @Test func aStreamThatGaveItsDeclaredLengthMayTakeItsTimeToEnd() async throws {
        let server = try await echo()
        try await withTransport(server) { transport in
            let (gate, ended) = (Gate(), Gate())
            let wasCancelled = Mutex(false)
            let body = StreamBody(length: 10) { _, writer in
                try await writer.write(ByteChunk("0123456789"))
                try await gate.wait()
                wasCancelled.withLock { $0 = Task.isCancelled }
                ended.open()
            }
            let answer = try await transport.exchange(server.request(.post, body: .stream(body)))
            #expect(answer.text == expected(Array("0123456789".utf8)))
            try await transport.waitForConnections(all: 1, idle: 1)
            gate.open()
            try await transport.check(server.request(.post), answers: expected([], framing: "0"))
            #expect(server.counts.connectionsAccepted == 1)
            try await ended.wait()
            #expect(!wasCancelled.withLock { $0 })
        }
    }

    @Test(arguments: [5, 20] as [Int64])
    func aStreamOfAnotherLengthThanDeclaredIsAFailure(_ length: Int64) async throws {
        let server = try await echo()
        try await withTransport(server) { transport in
            let body = StreamBody(length: length) { _, writer in try await writer.write(ByteChunk("0123456789")) }
            #expect(await transport.failure(server.request(.post, body: .stream(body)))?.kind == .requestBody)
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test func aStreamBeyondItsDeclaredLengthLearnsItAlsoAfterTheResponse() async throws {
        let server = try await echo()
        try await withTransport(server) { transport in
            let (gate, ended) = (Gate(), Gate())
            let told = Mutex<TransportFailure?>(nil)
            let body = StreamBody(length: 10) { _, writer in
                defer { ended.open() }
                try await writer.write(ByteChunk("0123456789"))
                try await gate.wait()
                do {
                    try await writer.write(ByteChunk("more"))
                } catch {
                    told.withLock { $0 = error as? TransportFailure }
                    throw error
                }
            }
            try await transport.check(
                server.request(.post, body: .stream(body)),
                answers: expected(Array("0123456789".utf8))
            )
            try await transport.waitForConnections(all: 1, idle: 1)
            gate.open()
            try await ended.wait()
            let failure = told.withLock(\.self)
            #expect(failure?.kind == .requestBody)
            #expect(failure?.message == HTTP1RequestError.bodyTooLong(declared: 10).description)
            try await transport.check(server.request(.post), answers: expected([], framing: "0"))
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test func aProducerThatThrowsEndsTheExchange() async throws {
        let server = try await echo()
        try await withTransport(server) { transport in
            let body = StreamBody { _, writer in
                try await writer.write(ByteChunk("a"))
                throw Trouble()
            }
            let failure = await transport.failure(server.request(.post, body: .stream(body)))
            #expect(failure?.kind == .requestBody)
            #expect(failure?.cause is Trouble)
            try await server.waitForOpenConnections(0)
        }
    }

    @Test func holdsTheProducerBackWhileThePeerDoesNotRead() async throws {
        let server = try await LoopbackServer.start(raw: [.awaitHead, .hold])
        try await withTransport(server) { transport in
            let written = Mutex(0)
            let body = StreamBody { _, writer in
                while true {
                    try await writer.write(ByteChunk([UInt8](repeating: 0, count: 65_536)))
                    written.withLock { $0 += 65_536 }
                }
            }
            let task = Task { try await transport.exchange(server.request(.post, body: .stream(body))) }
            try await server.waitForRequests(1)
            var before = -1
            while written.withLock({ $0 }) != before {
                before = written.withLock { $0 }
                // Only time shows that nothing more arrives; too short a wait makes the test weaker, but not fail.
                try await Task.sleep(for: .milliseconds(200))
            }
            // The size of both sides' socket buffers, and a little more.
            #expect(before < 32 * 1_024 * 1_024)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await server.waitForOpenConnections(0)
        }
    }

    @Test func deliversAnAnswerThatComesBeforeTheBodyIsSent() async throws {
        let server = try await LoopbackServer.start(
            raw: [.awaitHead, .send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig"), .hold]
        )
        try await withTransport(server) { transport in
            let ended = Gate()
            let body = StreamBody { _, writer in
                defer { ended.open() }
                while true { try await writer.write(ByteChunk([UInt8](repeating: 0, count: 65_536))) }
            }
            let answer = try await transport.exchange(server.request(.post, body: .stream(body)))
            #expect(answer.status == 413)
            #expect(answer.text == "big")
            try await ended.wait()
            try await server.waitForOpenConnections(0)
            try await transport.waitForConnections(all: 0, idle: 0)
        }
    }

    @Test func theStreamGoesOnAfterAnEarlyHead() async throws {
        let gate = Gate()
        let server = try await LoopbackServer.start { routes in
            routes.onStream(.post, "/") { _, body in
                .stream { writer in
                    while let piece = try await body.next() { try await writer.write(piece) }
                }
            }
        }
        try await withTransport(server) { transport in
            let body = StreamBody { _, writer in
                try await writer.write(ByteChunk("first "))
                try await gate.wait()
                try await writer.write(ByteChunk("second"))
            }
            let response = try await transport.send(server.request(.post, body: .stream(body)))
            #expect(try await response.body.next()?.bytes == Array("first ".utf8))
            gate.open()
            #expect(try await response.body.next()?.bytes == Array("second".utf8))
            #expect(try await response.body.next() == nil)
        }
    }

    @Test func aRestartableStreamIsSentAgainOnAStaleConnection() async throws {
        let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        let server = try await LoopbackServer.start(rawFor: { number in
            number == 1 ? [.awaitHead, .send(ok), .awaitHead, .close] : [.awaitHead, .awaitBytes(3), .send(ok), .hold]
        })
        try await withTransport(server) { transport in
            try await transport.check(server.request(), answers: "ok")
            let body = StreamBody(length: 3, replay: .restartable) { offset, writer in
                #expect(offset == 0)
                try await writer.write(ByteChunk("abc"))
            }
            try await transport.check(server.request(.put, body: .stream(body)), answers: "ok", repeating: true)
            #expect(server.counts.connectionsAccepted == 2)
        }
    }
}
