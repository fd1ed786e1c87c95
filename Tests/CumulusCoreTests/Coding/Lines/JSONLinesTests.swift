// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Newline-delimited JSON as a list, and line by line as it arrives.
@Suite struct JSONLinesTests {
    struct Tick: Codable, Sendable, Equatable { var n: Int }

    private func site(_ pieces: [String], type: String = "application/x-ndjson") -> Resource {
        let transport = StubTransport { _ in
            .script(pieces.map { .chunk(Array($0.utf8)) }, headers: [.contentType: type])
        }
        return Resource("http://a.example", transport: transport.watched)
    }

    private func ticks(_ pieces: [String], limit: Int = 1 << 20) async throws -> [Tick] {
        var ticks: [Tick] = []
        for try await tick in try await site(pieces).call(.get).stream().jsonLines(as: Tick.self, limit: limit) {
            ticks.append(tick)
        }
        return ticks
    }

    @Test(arguments: ["application/x-ndjson", "application/jsonl"])
    func aListIsReadFromLines(type: String) async throws {
        let site = site(["{\"n\":1}\r\n\n{\"n\":2}\n  \n{\"n\":3}"], type: type)
        #expect(try await site.get(as: [Tick].self) == [1, 2, 3].map(Tick.init))
    }

    @Test func aListIsSentAsLines() async throws {
        let transport = StubTransport { _ in .text("") }
        let site = Resource("http://a.example", transport: transport.watched)
        _ = try await site["a.jsonl"].post([Tick(n: 1), Tick(n: 2)])
        #expect(transport.lastRequest?.text == "{\"n\":1}\n{\"n\":2}\n")
        #expect(transport.lastRequest?.headers[.contentType] == "application/x-ndjson")
        let error = await #expect(throws: CumulusError.self) {
            _ = try await site.post(.value(Tick(n: 1), as: .jsonLines))
        }
        #expect(error?.code == .encoding)
    }

    @Test func valuesAreSentAsTheyCome() async throws {
        let transport = StubTransport { _ in .text("") }
        let values = AsyncStream<Tick> { continuation in
            for n in 1...3 { continuation.yield(Tick(n: n)) }
            continuation.finish()
        }
        _ = try await Resource("http://a.example", transport: transport.watched).post(.jsonLines(values))
        #expect(transport.lastRequest?.text == "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n")
        #expect(transport.lastRequest?.headers[.contentType] == "application/x-ndjson")
    }

    @Test func aBadLineOfAListIsNamed() async throws {
        let error = await #expect(throws: CumulusError.self) {
            _ = try await site(["{\"n\":1}\n{oops\n"]).get(as: [Tick].self)
        }
        #expect(error?.message.contains("line 2, column 2") == true)
        let problem = try #require((error?.cause as? DecodingProblem)?.cause as? LineProblem)
        #expect(problem.line == 2)
    }

    @Test func linesComeHoweverTheBodyIsCut() async throws {
        let text = "{\"n\":1}\n{\"n\":2}\r\n\n{\"n\":3}"
        let whole = try await ticks([text])
        #expect(whole == [1, 2, 3].map(Tick.init))
        for cut in 1..<text.utf8.count {
            let bytes = Array(text.utf8)
            let pieces = [bytes[..<cut], bytes[cut...]].map { String(decoding: $0, as: UTF8.self) }
            let cutTicks = try await ticks(pieces)
            #expect(cutTicks == whole)
        }
    }

    @Test func plainLinesComeToo() async throws {
        var lines: [String] = []
        for try await line in try await site(["a\n", "\nü", "b\r\nlast"]).call(.get).stream().lines {
            lines.append(line)
        }
        #expect(lines == ["a", "", "üb", "last"])
    }

    @Test func aLineThatIsTooLongIsRefusedWithItsNumber() async throws {
        let error = await #expect(throws: CumulusError.self) {
            _ = try await ticks(
                ["{\"n\":1}\n", String(repeating: "x", count: 60), String(repeating: "x", count: 60)],
                limit: 100
            )
        }
        #expect(error?.code == .decoding)
        #expect((error?.cause as? LineProblem)?.line == 2)
        #expect(error?.message.contains("100") == true)
    }

    @Test func aLineThatIsNoSuchValueIsRefusedWithItsNumber() async throws {
        let error = await #expect(throws: CumulusError.self) {
            _ = try await ticks(["{\"n\":1}\n{\"n\":\"secret\"}\n"])
        }
        let problem = try #require(error?.cause as? LineProblem)
        #expect(problem.line == 2)
        #expect((problem.cause as? DecodingProblem)?.codingPath.map(\.stringValue) == ["n"])
        #expect(error.map { "\($0)".contains("secret") } == false)
    }

    @Test func aBodyThatStopsAfterABadLineIsCancelled() async throws {
        let transport = StubTransport { _ in .script([.chunk(Array("oops\n".utf8)), .pause(.seconds(60))]) }
        let site = Resource("http://a.example", transport: transport.watched)
        let lines = try await site.call(.get).stream().jsonLines(as: Tick.self)
        await #expect(throws: CumulusError.self) { for try await _ in lines {} }
        #expect(transport.cancelledBodies == 1)
    }

    @Test func theSettingsCoderReadsTheLines() async throws {
        struct Snake: Decodable, Sendable, Equatable { var firstName: String }
        let site = site(["{\"first_name\":\"Ada\"}\n"])
        var coder = JSONCoder()
        coder.decoding.keys = .convertFromSnakeCase
        site.setRules { $0.coders.registerJSON(coder) }
        var names: [String] = []
        for try await snake in try await site.call(.get).stream().jsonLines(as: Snake.self) {
            names.append(snake.firstName)
        }
        #expect(names == ["Ada"])
    }
}
