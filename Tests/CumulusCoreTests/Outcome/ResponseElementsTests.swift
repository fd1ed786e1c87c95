// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Lines, JSON text sequences and concatenated JSON, as they arrive.
@Suite(.timeLimit(.minutes(1))) struct ResponseElementsTests {
    struct Tick: Codable, Sendable, Equatable { var n: Int }

    private func stream(_ pieces: [[UInt8]]) async throws -> ResponseStream {
        let transport = StubTransport { _ in .script(pieces.map { .chunk($0) }) }
        return try await Resource("http://a.example", transport: transport.watched).call(.get).stream()
    }

    private func stream(_ pieces: String...) async throws -> ResponseStream {
        try await stream(pieces.map { Array($0.utf8) })
    }

    private func collect<Element>(_ elements: ResponseElements<Element>) async throws -> [Element] {
        var found: [Element] = []
        for try await element in elements { found.append(element) }
        return found
    }

    private func problem<Element>(of elements: ResponseElements<Element>) async throws -> LineProblem {
        let error = await #expect(throws: CumulusError.self) { _ = try await collect(elements) }
        #expect(error?.code == .decoding && error?.request != nil)
        return try #require(error?.cause as? LineProblem)
    }

    // MARK: Values

    private static let values = "\u{FEFF} {\"a\":\"}\\\"{\"}\r\n\n[1,\n[2]]\"x\\\\\"17 true{}null\t-1.5e3\n"
    private static let expected: [JSON] = [["a": "}\"{"], [1, [2]], "x\\", 17, true, [:], nil, -1500]

    @Test func concatenatedValuesAreSplitAtEachBorder() async throws {
        let bytes = Array(Self.values.utf8)
        #expect(try await collect(stream([bytes]).concatenatedJSON(as: JSON.self)) == Self.expected)
        #expect(try await collect(stream(bytes.map { [$0] }).concatenatedJSON(as: JSON.self)) == Self.expected)
        for cut in 1..<bytes.count {
            let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
            #expect(try await collect(stream(pieces).concatenatedJSON(as: JSON.self)) == Self.expected, "cut \(cut)")
        }
    }

    @Test func numberAtTheEndOfTheBodyIsAConcatenatedValue() async throws {
        #expect(try await collect(stream("{\"n\":1}", "4", "2").concatenatedJSON(as: JSON.self)) == [["n": 1], 42])
        #expect(try await collect(stream(" \n ").concatenatedJSON(as: JSON.self)).isEmpty)
    }

    @Test func sequenceIsSplitAtEachBorder() async throws {
        let text = "\u{1E}{\"n\":\n1}\n\u{1E}\u{1E}[2]\n\u{1E}3\n\u{1E}\"x\""
        let expected: [JSON] = [["n": 1], [2], 3, "x"]
        let bytes = Array(text.utf8)
        #expect(try await collect(stream(bytes.map { [$0] }).jsonSequence(as: JSON.self)) == expected)
        for cut in 1..<bytes.count {
            let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
            #expect(try await collect(stream(pieces).jsonSequence(as: JSON.self)) == expected, "cut \(cut)")
        }
    }

    @Test func valueOfASequenceArrivesBeforeTheNextSeparator() async throws {
        let transport = StubTransport { _ in
            .script([.chunk(Array("\u{1E}{\"n\":1}".utf8)), .pause(.seconds(100_000))])
        }
        let site = Resource("http://a.example", transport: transport.watched)
        for try await tick in try await site.call(.get).stream().jsonSequence(as: Tick.self) {
            #expect(tick == Tick(n: 1))
            break
        }
        #expect(transport.cancelledBodies == 1)
    }

    @Test(arguments: [
        ("\u{1E}{\"n\":1}\n\u{1E}{\"n\":\n\u{1E}{\"n\":3}\n", 2, 2, "not complete"),
        ("\u{1E}1\n\u{1E}12\u{1E}3\n", 2, 2, "not complete"), ("\u{1E}1\n\u{1E}12", 2, 2, "not complete"),
        ("\u{1E}1\n\u{1E}tru", 2, 2, "not complete"), ("\u{1E}1\n\n2\n\u{1E}3\n", 2, 3, "record separator"),
        ("1\n\u{1E}3\n", 1, 1, "record separator"), ("\u{1E}1\n\u{1E}{\"n\":}\n\u{1E}3\n", 2, 2, "byte"),
    ])
    func invalidValueOfASequenceHasItsNumberAndLine(
        text: String,
        number: Int,
        line: Int,
        reason: String
    ) async throws {
        let problem = try await problem(of: stream(text).jsonSequence(as: JSON.self))
        #expect(problem.value == number && problem.line == line)
        #expect(problem.description.hasPrefix("value \(number) (line \(line)): "))
        #expect(problem.description.contains(reason), "\(problem)")
    }

    @Test func sequenceContinuesAfterInvalidValuesOnRequest() async throws {
        let text =
            "junk\u{1E}{\"n\":1}\n\u{1E}{\"n\":\u{1E}{\"n\":\"x\"}\n"
            + "\u{1E}{\"n\":4} junk\n\u{1E}{\"n\":5}\n\u{1E}tru"
        let pieces = text.utf8.map { [$0] }
        let ticks = try await collect(stream(pieces).jsonSequence(as: Tick.self).skippingInvalid)
        #expect(ticks.map(\.n) == [1, 4, 5])
    }

    @Test func incompleteConcatenatedValueIsAnError() async throws {
        let problem = try await problem(of: stream("{\"n\":1}\n\n {\"n\":", "[").concatenatedJSON(as: Tick.self))
        #expect(problem.value == 2 && problem.line == 3 && problem.excerpt.revealed == "{\"n\":[")
        #expect(problem.description == "value 2 (line 3): the value is not complete")
    }

    @Test func concatenatedValueOfAnotherTypeHasItsExcerpt() async throws {
        let stream = try await stream("{\"n\":1}{\"n\":\"secret\"}{\"n\":3}")
        let problem = try await problem(of: stream.concatenatedJSON(as: Tick.self))
        #expect(problem.value == 2 && problem.line == 1)
        #expect(problem.excerpt.revealed == "{\"n\":\"secret\"}" && !problem.description.contains("secret"))
        #expect((problem.cause as? DecodingProblem)?.codingPath.map(\.stringValue) == ["n"])
    }

    @Test func unbalancedBracketIsAnError() async throws {
        for text in ["{\"n\":1}]\n{\"n\":3}", "{\"n\":1},{\"n\":3}"] {
            let problem = try await problem(of: stream(text).concatenatedJSON(as: Tick.self))
            #expect(problem.value == 2)
        }
    }

    @Test func valuesHaveALimit() async throws {
        let long = "{\"n\":\"" + String(repeating: "x", count: 100) + "\"}"
        for pieces in [[Array("{\"n\":1}\(long)".utf8)], "{\"n\":1}\(long)".utf8.map { [$0] }] {
            let elements = try await stream(pieces).concatenatedJSON(as: Tick.self, limit: 50).skippingInvalid
            let problem = try await problem(of: elements)
            #expect(problem.value == 2 && "\(problem)".contains("longer than the allowed 50 bytes"))
            #expect(problem.excerpt.revealed.hasPrefix("{\"n\":\"xxx"))
        }
        let problem = try await problem(of: stream("\u{1E}\(long)").jsonSequence(as: Tick.self, limit: 50))
        #expect(problem.value == 1)
        let unseparated = try await stream(long).jsonSequence(as: JSON.self, limit: long.utf8.count)
        #expect(try await collect(unseparated.skippingInvalid).isEmpty)
    }

    // MARK: Lines

    @Test func carriageReturnAloneDoesNotEndALine() async throws {
        #expect(try await collect(stream("a\rb\r\nc\r", "\nd").lines) == ["a\rb", "c", "d"])
        #expect(try await collect(stream("{\"n\":\r1}\r\n{\"n\":2}\n").jsonLines(as: Tick.self)).map(\.n) == [1, 2])
    }

    @Test func longLineHasItsNumberAndExcerpt() async throws {
        let problem = try await problem(of: stream("short\n", "0123456789", "0123456789\n").lines(limit: 12))
        #expect(problem.line == 2 && problem.value == nil)
        #expect(problem.excerpt.revealed == "01234567890123456789")
    }

    @Test func linesThatAreNotUTF8AreSkippedOnRequest() async throws {
        let bytes = Array("a\n".utf8) + [0xFF, 0x0A] + Array("b\n".utf8)
        #expect(try await collect(stream([bytes]).lines.skippingInvalid) == ["a", "b"])
        let problem = try await problem(of: stream([bytes]).lines)
        #expect(problem.line == 2)
    }

    @Test func invalidJSONLinesAreSkippedOnRequest() async throws {
        let stream = try await stream("{\"n\":1}\n{oops\n{\"n\":\"x\"}\n{\"n\":4}")
        #expect(try await collect(stream.jsonLines(as: Tick.self).skippingInvalid).map(\.n) == [1, 4])
    }

    @Test func skippedElementsAreReported() async throws {
        let stream = try await stream("{\"n\":1}\n{oops\n{\"n\":\"x\"}\n{\"n\":4}")
        let skipped = Mutex<[Int]>([])
        let ticks = stream.jsonLines(as: Tick.self).skippingInvalid { problem in
            skipped.withLock { $0.append(problem.line) }
        }
        #expect(try await collect(ticks).map(\.n) == [1, 4] && skipped.withLock { $0 } == [2, 3])
    }

    @Test("a loop after an error gets the same error, and not CancellationError")
    func errorIsRepeated() async throws {
        let stream = try await stream("{\"n\":1}\n{oops\n{\"n\":4}\n")
        for _ in 0..<2 {
            let problem = try await problem(of: stream.jsonLines(as: Tick.self))
            #expect(problem.line == 2)
        }
        let error = await #expect(throws: CumulusError.self) { for try await _ in stream {} }
        #expect(error?.code == .decoding)
    }
}
