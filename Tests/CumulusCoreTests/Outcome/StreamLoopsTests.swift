// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// A loop over a stream that is left loses nothing: the next one goes on, whatever each of them reads.
@Suite(.timeLimit(.minutes(1))) struct StreamLoopsTests {
    struct Tick: Codable, Sendable, Equatable { var n: Int }

    private static let mixed = MediaType("multipart", "mixed", parameters: [.init(name: "boundary", value: "b")])

    private func stream(_ pieces: [String], type: String = "text/plain") async throws -> ResponseStream {
        let transport = StubTransport { _ in
            .script(pieces.map { .chunk(Array($0.utf8)) }, headers: [.contentType: type])
        }
        return try await Resource("http://a.example", transport: transport.watched).call(.get).stream()
    }

    /// The first of a sequence's elements.
    private func first<Elements: AsyncSequence & Sendable>(
        _ count: Int,
        of elements: Elements
    ) async throws -> [Elements.Element] where Elements.Element: Sendable {
        var found: [Elements.Element] = []
        for try await element in elements {
            found.append(element)
            if found.count == count { break }
        }
        return found
    }

    private static let cuts = [["a\nb\nc\nd\ne"], ["a\nb", "\nc\n", "d\n", "e"], ["a", "\n", "b\nc\nd\n", "e"]]

    @Test(arguments: cuts) func linesGoOnWithLines(pieces: [String]) async throws {
        let stream = try await stream(pieces)
        let lines = stream.lines
        #expect(try await first(2, of: lines) == ["a", "b"])
        #expect(try await first(1, of: lines) == ["c"])
        // Lines that are asked for again are the same stream's.
        #expect(try await first(9, of: stream.lines) == ["d", "e"])
        #expect(try await first(1, of: stream.lines) == [])
        #expect(stream.end != nil)
    }

    @Test func valuesOfLinesGoOnWithValuesAndLines() async throws {
        let stream = try await stream(["{\"n\":1}\n\n{\"n\":2}\n{\"n\":3}\n{\"n\":", "4}\n{\"n\":\"x\"}\n"])
        #expect(try await first(1, of: stream.jsonLines(as: Tick.self)) == [Tick(n: 1)])
        #expect(try await first(1, of: stream.jsonLines(as: Tick.self)) == [Tick(n: 2)])
        #expect(try await first(1, of: stream.lines) == ["{\"n\":3}"])
        let error = await #expect(throws: CumulusError.self) {
            for try await _ in stream.jsonLines(as: Tick.self) {}
        }
        // Lines are counted through all loops.
        #expect((error?.cause as? LineProblem)?.line == 6)
    }

    @Test(arguments: cuts) func piecesGoOnBehindLines(pieces: [String]) async throws {
        let stream = try await stream(pieces)
        #expect(try await first(2, of: stream.lines) == ["a", "b"])
        var rest: [UInt8] = []
        for try await piece in stream { rest += piece.bytes }
        #expect(rest == Array("c\nd\ne".utf8))
    }

    @Test func piecesGoOnWithPieces() async throws {
        let stream = try await stream(["a", "b", "c"])
        #expect(try await first(1, of: stream).map(\.bytes) == [[0x61]])
        #expect(try await first(9, of: stream).map(\.bytes) == [[0x62], [0x63]])
    }

    @Test func linesGoOnBehindPieces() async throws {
        let stream = try await stream(["a\n", "b\nc", "d\n"])
        _ = try await first(1, of: stream)
        #expect(try await first(9, of: stream.lines) == ["b", "cd"])
    }

    @Test func valuesContinueWithValuesOfAnotherForm() async throws {
        let stream = try await stream(["{\"n\":1} {\"n\":", "2}tail\n\u{1E}{\"n\":3}\n{\"n\":", "4}\n"])
        #expect(try await first(1, of: stream.concatenatedJSON(as: Tick.self)) == [Tick(n: 1)])
        #expect(try await first(1, of: stream.concatenatedJSON(as: Tick.self)) == [Tick(n: 2)])
        #expect(try await first(1, of: stream.lines) == ["tail"])
        #expect(try await first(1, of: stream.jsonSequence(as: Tick.self)) == [Tick(n: 3)])
        #expect(try await first(9, of: stream.jsonLines(as: Tick.self)) == [Tick(n: 4)])
    }

    // MARK: Two loops at the same time

    /// Reads a stream whose server pauses within an element, and starts a second reader in the pause.
    private func secondReader(
        _ first: @escaping @Sendable (ResponseStream) async throws -> String,
        _ second: @escaping @Sendable (ResponseStream) async throws -> String
    ) async throws -> (first: String, second: any Error) {
        let gate = Gate()
        let transport = StubTransport { _ in
            .script([.chunk(Array("data: a".utf8)), .gate(gate), .chunk(Array("b\n\ndata: c\n\n".utf8))])
        }
        let stream = try await Resource("http://a.example", transport: transport.watched).call(.get).stream()
        let reader = Task { try await first(stream) }
        try await gate.waitForWaiters()
        let error = await #expect(throws: CumulusError.self) { _ = try await second(stream) }
        gate.open()
        return (try await reader.value, try #require(error))
    }

    @Test func secondReaderIsRefusedAndTheFirstLosesNothing() async throws {
        let lines: @Sendable (ResponseStream) async throws -> String = { stream in
            try await stream.lines.reduce(into: "") { $0 += $1 + "|" }
        }
        let events: @Sendable (ResponseStream) async throws -> String = { stream in
            try await stream.events().reduce(into: "") { $0 += $1.data + "|" }
        }
        let pieces: @Sendable (ResponseStream) async throws -> String = { stream in
            try await stream.reduce(into: "") { $0 += String(decoding: $1.bytes, as: UTF8.self) }
        }
        let whole = ["data: ab||data: c||", "ab|c|", "data: ab\n\ndata: c\n\n"]
        for (index, first) in [lines, events, pieces].enumerated() {
            for second in [lines, events, pieces] {
                let (read, error) = try await secondReader(first, second)
                #expect(read == whole[index])
                #expect((error as? CumulusError)?.message.contains("another consumer") == true)
            }
        }
    }

    private static let parts = ["--b\r\n\r\none\r\n--b\r\n\r\ntw", "o\r\n--b\r\n\r\nthree\r\n--b--\r\n"]

    @Test(arguments: [parts, [parts.joined()]]) func partsGoOnWithParts(pieces: [String]) async throws {
        let stream = try await stream(pieces, type: "\(Self.mixed)")
        let parts = try stream.parts()
        #expect(try await first(1, of: parts)[0].collect().text == "one")
        #expect(try await first(1, of: parts)[0].collect().text == "two")
        // Parts that are asked for again are the same stream's.
        #expect(try await first(1, of: try stream.parts())[0].collect().text == "three")
        #expect(try await first(1, of: try stream.parts()).isEmpty)
    }

    @Test func theContentOfAPartGoesOn() async throws {
        let stream = try await stream(Self.parts, type: "\(Self.mixed)")
        _ = try await first(1, of: try stream.parts())[0].collect()
        let second = try await first(1, of: try stream.parts())[0]
        let beginning = try await first(1, of: second).flatMap(\.bytes)
        let rest = try await first(9, of: second).flatMap(\.bytes)
        #expect(!beginning.isEmpty && !rest.isEmpty)
        #expect(beginning + rest == Array("two".utf8))
    }

    @Test func bytesOfYourOwnGoOnAsParts() async throws {
        let source = Mutex(Self.parts.map { ByteChunk($0) })
        let parts = try MultipartStream(of: Self.mixed) {
            source.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
        #expect(try await first(1, of: parts)[0].collect().text == "one")
        #expect(try await first(9, of: parts).count == 2)
    }

    @Test func aLoopThatIsLeftKeepsTheExchangeUntilTheStreamIsCancelledOrGone() async throws {
        let transport = StubTransport { _ in .script([.chunk(Array("a\nb\n".utf8)), .pause(.seconds(600))]) }
        let site = Resource("http://a.example", transport: transport.watched)
        let cancelled = try await site.call(.get).stream()
        #expect(try await first(1, of: cancelled.lines) == ["a"])
        #expect(transport.cancelledBodies == 0)
        cancelled.cancel()
        #expect(transport.cancelledBodies == 1)
        // What was read ahead is gone as well.
        await #expect(throws: (any Error).self) { try await first(1, of: cancelled.lines) }
        #expect(try await firstLine(from: site) == ["a"])
        #expect(transport.cancelledBodies == 2)
    }

    @Test func partsDoNotKeepTheStream() async throws {
        let transport = StubTransport { _ in
            .script(
                [.chunk(Array(Self.parts[0].utf8)), .pause(.seconds(600))],
                headers: [.contentType: "\(Self.mixed)"]
            )
        }
        let site = Resource("http://a.example", transport: transport.watched)
        #expect(try await firstPartCount(from: site) == 1)
        #expect(transport.cancelledBodies == 1)
    }

    /// Reads a line of a stream that is gone then.
    private func firstLine(from site: Resource) async throws -> [String] {
        try await first(1, of: try await site.call(.get).stream().lines)
    }

    private func firstPartCount(from site: Resource) async throws -> Int {
        let stream = try await site.call(.get).stream()
        return try await first(1, of: try stream.parts()).count
    }
}
