// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import CumulusCore

@Suite(.timeLimit(.minutes(1))) struct EventParserTests {
    /// Feeds pieces, and returns all events.
    private func events(of pieces: [[UInt8]], _ parser: inout EventParser) throws -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for piece in pieces {
            var position = 0
            while let event = try piece.withUnsafeBytes({ try parser.next(in: $0, from: &position) }) {
                events.append(event)
            }
            #expect(position == piece.count)
        }
        return events
    }

    private func pieces(of body: [UInt8], longest: Int, _ numbers: inout SeededNumbers) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while start < body.count {
            let end = min(body.count, start + Int.random(in: 1...longest, using: &numbers))
            pieces.append(Array(body[start..<end]))
            start = end
        }
        return pieces
    }

    @Test(arguments: EventCase.all) func eventsAreThoseOfTheStandard(example: EventCase) throws {
        var whole = EventParser(limit: 1 << 20)
        #expect(try events(of: [example.body], &whole) == example.events)
        #expect(whole.lastEventID == example.lastEventID)
    }

    @Test(arguments: EventCase.all) func chunkBordersChangeNothing(example: EventCase) throws {
        var single = EventParser(limit: 1 << 20)
        #expect(try events(of: example.body.map { [$0] }, &single) == example.events)
        #expect(single.lastEventID == example.lastEventID)
        for border in 0...example.body.count {
            var halves = EventParser(limit: 1 << 20)
            let pieces = [Array(example.body[..<border]), Array(example.body[border...])]
            #expect(try events(of: pieces, &halves) == example.events, "border \(border)")
        }
        var numbers = SeededNumbers(52)
        for _ in 0..<50 {
            var split = EventParser(limit: 1 << 20)
            #expect(try events(of: pieces(of: example.body, longest: 7, &numbers), &split) == example.events)
        }
    }

    @Test func allCasesInOneBodyAreParsedOneAfterAnother() throws {
        // Without those whose end drops something, or that begin with a byte order mark.
        let cases = EventCase.all.filter { $0.body.suffix(2) == [0x0A, 0x0A] && $0.body.first ?? 0 < 0x80 }
        #expect(cases.count > 40)
        var numbers = SeededNumbers(1)
        for _ in 0..<20 {
            var (body, expected): ([UInt8], [ServerSentEvent]) = ([], [])
            for example in cases.shuffled(using: &numbers) {
                body += example.body + Array("id\n\n".utf8)
                expected += example.events
            }
            var parser = EventParser(limit: 1 << 20)
            #expect(try events(of: pieces(of: body, longest: 100, &numbers), &parser) == expected)
            #expect(parser.count == expected.count)
        }
    }

    @Test(arguments: 0..<17) func lineEndsAreFoundAtEachOffset(offset: Int) throws {
        let data = String(repeating: "x", count: offset)
        for end in ["\n", "\r", "\r\n"] {
            var parser = EventParser(limit: 1 << 20)
            let found = try events(
                of: [Array("data:\(data)\(end)\(end)data: \u{0B}\u{0C}\u{0E}\(end)\(end)".utf8)],
                &parser
            )
            #expect(found.map(\.data) == [data, "\u{0B}\u{0C}\u{0E}"])
        }
    }

    @Test func lastEventIDOfAnEarlierConnectionStays() throws {
        var parser = EventParser(limit: 100, after: "9")
        #expect(try events(of: [Array("data: a\n\n".utf8)], &parser) == [ServerSentEvent(data: "a", id: "9")])
        #expect(parser.lastEventID == "9")
    }

    // MARK: Limits

    private func problem(_ pieces: [[UInt8]], limit: Int) -> EventProblem? {
        var parser = EventParser(limit: limit)
        return #expect(throws: EventProblem.self) { _ = try events(of: pieces, &parser) }
    }

    @Test func longLineIsRefusedBeforeItsEnd() {
        let line = Array("data: 12345".utf8)
        let whole = problem([Array("data: a\n\n: c\n".utf8) + line], limit: 10)
        #expect(whole?.event == 2 && whole?.line == 4)
        #expect(whole.map { "\($0)" } == "event 2 (line 4): the line is longer than the allowed 10 bytes")
        #expect(problem(line.map { [$0] }, limit: 10)?.line == 1)
        #expect(problem([line + [0x0A]], limit: 10)?.line == 1)
        #expect(problem([Array(":23456789012".utf8)], limit: 10)?.line == 1)
    }

    @Test func lineAndEventOfTheLimitAreAllowed() throws {
        var parser = EventParser(limit: 10)
        let body = Array("data: 1234\n\n:234567890\ndata\nid: 12\n\n".utf8)
        #expect(try events(of: [body], &parser).map(\.data) == ["1234", ""])
    }

    @Test func longEventIsRefused() {
        let problem = problem([Array("data: 1\n\ndata: 2\ndata: 3\n".utf8)], limit: 13)
        #expect(problem?.event == 2 && problem?.line == 4)
        #expect(problem.map { "\($0)" } == "event 2 (line 4): the event is longer than the allowed 13 bytes")
    }

    @Test(arguments: ["data\n", "foo\n", "id: 1\n", "event: a\n", "data:\r"])
    func eventOfMillionsOfFieldsIsRefused(field: String) {
        let piece = Array(String(repeating: field, count: 10_000).utf8)
        let problem = problem(Array(repeating: piece, count: 1_000), limit: 1 << 20)
        #expect(problem?.event == 1)
        #expect((problem?.line ?? 0) > 100_000)
    }

    @Test func endlessLineIsRefusedAtTheLimit() {
        let piece = [UInt8](repeating: 0x61, count: 1 << 16)
        var parser = EventParser(limit: 1 << 20)
        var count = 0
        let error = #expect(throws: EventProblem.self) {
            while count < 1_000 {
                count += 1
                _ = try events(of: [piece], &parser)
            }
        }
        #expect(error?.line == 1 && count == 17)
    }

    @Test func commentsBetweenEventsAreNotLimited() throws {
        let comments = Array(String(repeating: ": ping\n", count: 10_000).utf8)
        var parser = EventParser(limit: 1_000)
        let pieces = Array(repeating: comments, count: 20) + [Array("data: a\n\n".utf8)]
        #expect(try events(of: pieces, &parser).map(\.data) == ["a"])
        #expect(parser.line == 200_002)
    }
}
