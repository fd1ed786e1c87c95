// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusNIO

/// Trailers of requests over HTTP/1.1 and HTTP/2.
@Suite(.timeLimit(.minutes(10))) struct RequestTrailerTests {
    private struct Trouble: Error {}

    private static let versions = [HTTPVersion.http1, .http2]
    private static let sum = HTTPField.Name("X-Sum") ?? .te

    /// Runs a test with a server that responds with the body and the trailers of each request.
    private func withServer(
        _ version: HTTPVersion,
        _ routes: (inout Routes) -> Void = { _ in },
        _ body: (LoopbackServer, NIOTransport) async throws -> Void
    ) async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.http2 = version == .http2 ? .always : .never
        let server = try await LoopbackServer.start(configuration: configuration) { table in
            routes(&table)
            table.on(nil, "/") { request in
                let fields = request.trailers.map { "\($0.name.canonicalName)=\($0.value)" }
                return .text("\(String(decoding: request.body, as: UTF8.self)) \(fields.joined(separator: ","))")
            }
        }
        try await withTransport(server) { try await body(server, $0) }
    }

    private func request(_ server: LoopbackServer, _ version: HTTPVersion, _ body: StreamBody) -> TransportRequest {
        var request = server.request(.post, body: .stream(body))
        request.httpVersion = version
        return request
    }

    /// Writes pieces, and ends with a trailer.
    private func body(
        _ pieces: [String] = ["some", "thing"],
        _ trailers: @escaping @Sendable () async throws -> HTTPFields = { [Self.sum: "7"] }
    ) -> StreamBody {
        StreamBody(replay: .restartable) { _, writer in
            for piece in pieces { try await writer.write(ByteChunk(piece)) }
        } trailers: {
            try await trailers()
        }
    }

    @Test(arguments: versions) func trailersFollowTheBody(_ version: HTTPVersion) async throws {
        try await withServer(version) { server, transport in
            let written = Mutex(0)
            let counted = StreamBody(length: 9) { _, writer in
                for piece in ["some", "thing"] {
                    try await writer.write(ByteChunk(piece))
                    written.withLock { $0 += piece.utf8.count }
                }
            } trailers: {
                [Self.sum: "\(written.withLock(\.self))"]
            }
            try await transport.check(request(server, version, counted), answers: "something x-sum=9")
            let headers = server.requests.first?.headers ?? [:]
            #expect(headers[.contentLength] == nil)
            if version == .http1 { #expect(headers[.transferEncoding] == "chunked") }
        }
    }

    @Test(arguments: versions) func connectionCarriesAnotherRequestAfterTrailers(_ version: HTTPVersion) async throws {
        try await withServer(version) { server, transport in
            for _ in 0..<3 {
                try await transport.check(request(server, version, body()), answers: "something x-sum=7")
            }
            #expect(server.counts.connectionsAccepted == 1)
        }
    }

    @Test(arguments: versions) func emptyBodyHasTrailers(_ version: HTTPVersion) async throws {
        try await withServer(version) { server, transport in
            try await transport.check(request(server, version, body([])), answers: " x-sum=7")
        }
    }

    @Test(arguments: versions) func emptyTrailersEndTheBody(_ version: HTTPVersion) async throws {
        try await withServer(version) { server, transport in
            try await transport.check(request(server, version, body { [:] }), answers: "something ")
            try await transport.check(request(server, version, body([]) { [:] }), answers: " ")
        }
    }

    @Test(arguments: versions) func longBodyHasTrailers(_ version: HTTPVersion) async throws {
        try await withServer(version) { server, transport in
            let piece = String(repeating: "x", count: 10_007)
            let answer = try await transport.exchange(
                request(server, version, body(Array(repeating: piece, count: 50)))
            )
            #expect(answer.text == String(repeating: piece, count: 50) + " x-sum=7")
        }
    }

    @Test(arguments: versions) func trailersThatThrowLeaveTheBodyIncomplete(_ version: HTTPVersion) async throws {
        try await withServer(version) { server, transport in
            let failure = await transport.failure(request(server, version, body { throw Trouble() }))
            #expect(failure?.kind == .requestBody && failure?.cause is Trouble)
            if version == .http1 { try await transport.waitForConnections(all: 0, idle: 0) }
            #expect(server.counts.requestsReceived == 0)
            try await transport.check(request(server, version, body()), answers: "something x-sum=7")
        }
    }

    @Test(arguments: versions) func trailersOfABrokenSourceAreNotMade(_ version: HTTPVersion) async throws {
        try await withServer(version) { server, transport in
            let broken = StreamBody { _, writer in
                try await writer.write(ByteChunk("some"))
                throw Trouble()
            } trailers: {
                Issue.record("the trailers were made")
                return [:]
            }
            let failure = await transport.failure(request(server, version, broken))
            #expect(failure?.kind == .requestBody && failure?.cause is Trouble)
            #expect(server.counts.requestsReceived == 0)
        }
    }

    @Test(arguments: versions) func forbiddenTrailersLeaveTheBodyIncomplete(_ version: HTTPVersion) async throws {
        let controlled = HTTPFields([HTTPField(name: Self.sum, lenientValue: [0x37, 0x01])])
        let fields: [(HTTPFields, String)] = [
            ([.contentLength: "3"], "Content-Length can't be a trailer"),
            ([.transferEncoding: "chunked"], "Transfer-Encoding can't be a trailer"),
            ([Self.sum: "7", .authorization: "Bearer secret"], "Authorization can't be a trailer"),
            (controlled, "the value of X-Sum contains a control character"),
        ]
        try await withServer(version) { server, transport in
            for (trailers, message) in fields {
                let failure = await transport.failure(request(server, version, body { trailers }))
                #expect(failure?.kind == .requestBody && failure?.message.hasPrefix(message) == true)
            }
            #expect(server.counts.requestsReceived == 0)
        }
    }

    @Test(arguments: versions, ["Content-Length", "X-Sum, authorization", "X-Sum ,, TRAILER\t"])
    func announcedForbiddenTrailersAreRefusedBeforeAnythingIsSent(_ version: HTTPVersion, names: String) async throws {
        try await withServer(version) { server, transport in
            var announcing = request(server, version, body())
            announcing.headers[.trailer] = names
            let failure = await transport.failure(announcing)
            #expect(failure?.kind == .invalidRequest && failure?.fate == .unsent)
            #expect(failure?.message.hasSuffix("can't be a trailer") == true)
            let site = Resource("http://127.0.0.1:\(server.port)", transport: transport) { $0.httpVersion = version }
            let error = await #expect(throws: CumulusError.self) {
                try await site.post(.text("text").trailer("Content-Type") { "text/html" })
            }
            #expect(error?.code == .invalidRequest)
            #expect(server.counts.connectionsAccepted == 0)
        }
    }

    @Test(arguments: versions) func earlyResponseCancelsTheTrailers(_ version: HTTPVersion) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let answers = Gate()
        try await withServer(
            version,
            { routes in
                routes.on(.post, "/early", body: .unread) { _ in
                    try await answers.wait()
                    return .text("early")
                }
            },
            { server, transport in
                var early = request(
                    server,
                    version,
                    body {
                        answers.open()
                        do { try await Gate().wait() } catch { end.yield(error is CancellationError) }
                        return [Self.sum: "7"]
                    }
                )
                early.target = "/early"
                try await transport.check(early, answers: "early")
                var iterator = ends.makeAsyncIterator()
                #expect(await iterator.next() == true)
                try await transport.check(request(server, version, body()), answers: "something x-sum=7")
            }
        )
    }

    @Test(arguments: versions) func cancellationReachesTheTrailers(_ version: HTTPVersion) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let begins = Gate()
        try await withServer(version) { server, transport in
            let waiting = request(
                server,
                version,
                body {
                    begins.open()
                    do { try await Gate().wait() } catch { end.yield(error is CancellationError) }
                    return [Self.sum: "7"]
                }
            )
            let task = Task { try await transport.exchange(waiting) }
            try await begins.wait()
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            var iterator = ends.makeAsyncIterator()
            #expect(await iterator.next() == true)
            #expect(server.counts.requestsReceived == 0)
        }
    }

    @Test func serverAllowsABodyWithTrailers() async throws {
        try await withServer(.http1) { server, transport in
            var asking = request(server, .http1, body())
            asking.expectsContinue = .seconds(600)
            try await transport.check(asking, answers: "something x-sum=7")
            #expect(server.requests.first?.headers[.expect] == "100-continue")
        }
    }

    @Test func serverRefusesABodyWithTrailers() async throws {
        let server = try await LoopbackServer.start(
            raw: [.awaitHead, .send("HTTP/1.1 417 No\r\nContent-Length: 2\r\n\r\nno"), .hold]
        )
        try await withTransport(server) { transport in
            let unused = StreamBody { _, _ in
                Issue.record("the body was made")
            } trailers: {
                Issue.record("the trailers were made")
                return [:]
            }
            var asking = request(server, .http1, unused)
            asking.expectsContinue = .seconds(600)
            try await transport.check(asking, answers: "no")
        }
    }
}
