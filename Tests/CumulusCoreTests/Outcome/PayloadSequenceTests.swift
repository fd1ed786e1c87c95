// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Bodies that are written as they are produced.
@Suite(.timeLimit(.minutes(1))) struct PayloadSequenceTests {
    struct Tick: Codable, Sendable, Equatable { var n: Int }

    /// Responds when it has taken the whole body, and notes how much was produced when it took each piece.
    private final class TakingTransport: Transport {
        let capabilities = TransportCapabilities()
        private let produced: @Sendable () -> Int
        private let limit: Int
        private let taken = Mutex<(pieces: [String], produced: [Int])>(([], []))

        /// Makes a transport whose connection breaks after some pieces.
        init(limit: Int = .max, _ produced: @escaping @Sendable () -> Int) {
            self.limit = limit
            self.produced = produced
        }

        var pieces: [String] { taken.withLock(\.pieces) }
        var counts: [Int] { taken.withLock(\.produced) }

        func identity(at origin: Origin) -> TransportIdentity { .unknown }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            try await request.body.read { [self] piece in
                let count = taken.withLock { taken in
                    taken.pieces.append(String(decoding: piece.bytes, as: UTF8.self))
                    taken.produced.append(produced())
                    return taken.pieces.count
                }
                if count == limit { throw TransportFailure(.connectionClosed, "the connection was closed") }
            }
            return TransportResponse(head: ResponseHead(status: .ok), body: ResponseBody(complete: .empty))
        }
    }

    /// A response whose pieces are counted when they are read.
    private final class Source: ResponseBodySource {
        private let state: Mutex<(pieces: [String], count: Int, isCancelled: Bool)>

        init(_ pieces: [String]) { state = Mutex((pieces, 0, false)) }

        var count: Int { state.withLock(\.count) }
        var isCancelled: Bool { state.withLock(\.isCancelled) }

        func next() async throws -> ResponseBodyElement {
            state.withLock { state in
                if state.pieces.isEmpty { return .end(ExchangeEnd()) }
                state.count += 1
                return .bytes(ByteChunk(state.pieces.removeFirst()))
            }
        }

        func cancel() { state.withLock { $0.isCancelled = true } }
    }

    private struct SourceTransport: Transport {
        let source: Source
        var length: Int64?
        var capabilities: TransportCapabilities { TransportCapabilities() }

        func identity(at origin: Origin) -> TransportIdentity { .unknown }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let head = ResponseHead(status: .ok, headers: [.contentType: "video/mp4"])
            return TransportResponse(head: head, body: ResponseBody(expectedLength: length, source: source))
        }
    }

    private final class Producer: Sendable {
        private let produced = Mutex(0)
        var count: Int { produced.withLock { $0 } }

        func ticks(_ count: Int) -> AsyncStream<Tick> {
            AsyncStream(unfolding: { [self] in
                produced.withLock { number in
                    if number == count { return nil }
                    number += 1
                    return Tick(n: number)
                }
            })
        }
    }

    private func ticks(_ count: Int) -> AsyncStream<Tick> { Producer().ticks(count) }

    // MARK: Values

    @Test func arrayIsSentAsItIsProduced() async throws {
        let transport = StubTransport { _ in .text("") }
        let site = Resource("http://a.example", transport: transport.watched)
        try await site.post(.jsonArray(ticks(3))).requireSuccess()
        #expect(transport.lastRequest?.text == "[{\"n\":1},{\"n\":2},{\"n\":3}]")
        #expect(transport.lastRequest?.headers[.contentType] == "application/json")
        #expect(transport.lastRequest?.request.body.length == nil)
        for count in [0, 1] {
            try await site.post(.jsonArray(ticks(count))).requireSuccess()
            #expect(transport.lastRequest?.text == (count == 0 ? "[]" : "[{\"n\":1}]"))
        }
        try await site.post(.jsonLines(ticks(0))).requireSuccess()
        #expect(transport.lastRequest?.text == "")
    }

    @Test func valuesAreEncodedByTheSettingsCoder() async throws {
        struct Name: Codable, Sendable { var firstName: String }
        let transport = StubTransport { _ in .text("") }
        let site = Resource("http://a.example", transport: transport.watched)
        var coder = JSONCoder()
        coder.encoding.keys = .convertToSnakeCase
        site.setRules { $0.coders.registerJSON(coder) }
        let names = AsyncStream { continuation in
            continuation.yield(Name(firstName: "Ada"))
            continuation.finish()
        }
        try await site.post(.jsonArray(names)).requireSuccess()
        #expect(transport.lastRequest?.text == "[{\"first_name\":\"Ada\"}]")
    }

    @Test func valueIsProducedWhenTheServerHasTakenTheOneBefore() async throws {
        for payload in [Payload.jsonLines, Payload.jsonArray] as [(AsyncStream<Tick>, JSONCoder?) -> Payload] {
            let producer = Producer()
            let transport = TakingTransport { producer.count }
            let site = Resource("http://a.example", transport: transport)
            try await site.post(payload(producer.ticks(4), nil)).requireSuccess()
            #expect(transport.counts.prefix(4) == [1, 2, 3, 4])
        }
    }

    @Test func invalidValueEndsTheRequestWithItsNumber() async throws {
        struct Ratio: Codable, Sendable { var value: Double }
        let ratios = AsyncStream { continuation in
            for value in [1, .infinity, 2] { continuation.yield(Ratio(value: value)) }
            continuation.finish()
        }
        let site = Resource("http://a.example", transport: StubTransport { _ in .text("") }.watched)
        let error = await #expect(throws: CumulusError.self) { try await site.post(.jsonArray(ratios)) }
        let problem = try #require((error?.cause as? TransportFailure)?.cause as? EncodingProblem)
        #expect(error?.code == .requestBody && problem.number == 2 && problem.codingPath.count == 1)
        #expect(problem.description.hasPrefix("value 2: Ratio can't be sent as application/json: at value: "))
    }

    @Test func progressOfValuesEndsWithTheirSum() async throws {
        let reports = Mutex<[TransferProgress]>([])
        let site = Resource("http://a.example", transport: StubTransport { _ in .text("") }.watched) {
            $0.observers = [.progress { report in reports.withLock { $0.append(report) } }]
        }
        try await site.post(.jsonArray(ticks(2))).requireSuccess()
        let sent = reports.withLock { $0.filter { $0.direction == .sending } }
        #expect(sent.first?.completed == 0 && sent.first?.total == nil)
        #expect(sent.last?.isFinished == true && sent.last?.completed == 17)
    }

    @Test func sequenceIsNeverSentTwice() async throws {
        let transport = StubTransport { _ in .text("") }
        let site = Resource("http://a.example", transport: transport.watched)
        let parts = AsyncStream<MultipartPart> { $0.finish() }
        for payload in [Payload.jsonArray(ticks(2)), .multipart(parts, type: "multipart/mixed")] {
            let call = site.call(.post, payload)
            _ = try await call.send()
            let count = transport.requests.count
            let error = await #expect(throws: CumulusError.self) { _ = try await call.send() }
            #expect(error?.code == .requestBody && transport.requests.count == count)
        }
    }

    // MARK: Multipart

    @Test func partsAreSentAsTheyAreProduced() async throws {
        let produced = Mutex(0)
        let three = AsyncStream<[UInt8]> { continuation in
            continuation.yield(Array("three".utf8))
            continuation.finish()
        }
        let parts = AsyncStream<MultipartPart>(unfolding: {
            let number = produced.withLock { count in
                count += 1
                return count
            }
            switch number {
            case 1: return .text("one")
            case 2: return .json(Tick(n: 2), headers: ["X-A": "b"])
            case 3: return .stream(three)
            default: return nil
            }
        })
        let transport = TakingTransport { produced.withLock { $0 } }
        let site = Resource("http://a.example", transport: transport)
        try await site.post(.multipart(parts, type: "multipart/mixed", boundary: "b")).requireSuccess()
        let expected =
            "--b\r\n\r\none\r\n--b\r\nContent-Type: application/json\r\nX-A: b\r\n\r\n{\"n\":2}\r\n"
            + "--b\r\nContent-Type: application/octet-stream\r\n\r\nthree\r\n--b--\r\n"
        #expect(transport.pieces.joined() == expected)
        #expect(transport.counts.prefix(3) == [1, 2, 3])
    }

    @Test func partThatCannotBeSentEndsTheRequest() async throws {
        let parts = AsyncStream<MultipartPart> { continuation in
            continuation.yield("fine")
            continuation.yield(.file("/nonexistent/file"))
            continuation.finish()
        }
        let site = Resource("http://a.example", transport: StubTransport { _ in .text("") }.watched)
        let error = await #expect(throws: CumulusError.self) {
            try await site.post(.multipart(parts, type: "multipart/mixed"))
        }
        #expect(error?.code == .requestBody)
    }

    // MARK: A response as a body

    private func response(_ source: Source, length: Int64? = nil) async throws -> ResponseStream {
        let transport = SourceTransport(source: source, length: length)
        return try await Resource("http://b.example", transport: transport).call(.get).stream()
    }

    @Test func responseIsSentWithItsTypeAndLengthAsItArrives() async throws {
        let source = Source(["ab", "cd", "e"])
        let transport = TakingTransport { source.count }
        let site = Resource("http://a.example", transport: transport)
        let call = site.call(.put, .stream(try await response(source, length: 5)))
        #expect(try await call.curl().contains("video/mp4"))
        _ = try await call.send()
        #expect(transport.pieces == ["ab", "cd", "e"] && transport.counts == [1, 2, 3])
    }

    @Test func lengthIsSentOnlyIfNothingWasRead() async throws {
        let stub = StubTransport { _ in .text("") }
        let site = Resource("http://a.example", transport: stub.watched)
        try await site.put(.stream(response(Source(["ab", "cd"]), length: 4))).requireSuccess()
        #expect(stub.lastRequest?.request.body.length == 4)
        #expect(stub.lastRequest?.headers[.contentType] == "video/mp4")
        let begun = try await response(Source(["a\nb", "cd"]), length: 5)
        for try await line in begun.lines {
            #expect(line == "a")
            break
        }
        try await site.put(.stream(begun, type: "text/plain")).requireSuccess()
        #expect(stub.lastRequest?.request.body.length == nil && stub.lastRequest?.text == "bcd")
        #expect(stub.lastRequest?.headers[.contentType] == "text/plain")
    }

    @Test func failedRequestCancelsTheResponse() async throws {
        let source = Source(["ab", "cd", "e"])
        let transport = TakingTransport(limit: 2) { source.count }
        let site = Resource("http://a.example", transport: transport)
        let stream = try await response(source)
        let error = await #expect(throws: CumulusError.self) { try await site.put(.stream(stream)) }
        #expect(error?.code == .connectionClosed && source.isCancelled && source.count == 2)
    }

    @Test func brokenResponseFailsTheRequest() async throws {
        let broken = TransportFailure(.truncated, "the body ended early", fate: .unknown)
        let source = StubTransport { _ in .script([.chunk(Array("ab".utf8)), .fail(broken)]) }
        let stream = try await Resource("http://b.example", transport: source.watched).call(.get).stream()
        let site = Resource("http://a.example", transport: StubTransport { _ in .text("") }.watched)
        let error = await #expect(throws: CumulusError.self) { try await site.put(.stream(stream)) }
        let cause = (error?.cause as? TransportFailure)?.cause as? CumulusError
        #expect(error?.code == .requestBody && cause?.code == .truncatedBody)
    }
}
