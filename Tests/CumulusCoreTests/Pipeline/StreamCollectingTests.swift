// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// The remaining bytes of a stream as a response, and streams of a required media type.
@Suite(.timeLimit(.minutes(10))) struct StreamCollectingTests {
    private struct Problem: Codable, Sendable, Equatable { var message: String }

    private func site(_ pieces: [String], type: String?) -> (Resource, StubTransport) {
        let transport = StubTransport { _ in
            .script(pieces.map { .chunk(Array($0.utf8)) }, headers: type.map { [.contentType: $0] } ?? [:])
        }
        return (Resource("http://a.example", transport: transport.watched), transport)
    }

    @Test func remainingBytesAreAResponse() async throws {
        let (site, _) = site(["a\nb\n{\"mess", "age\":\"no\"}"], type: "application/json")
        let stream = try await site.call(.get).stream()
        var lines = stream.lines.makeAsyncIterator()
        for expected in ["a", "b"] { #expect(try await lines.next() == expected) }
        let response = try await stream.collect()
        #expect(response.status == .ok && response.mediaType == .json && stream.end != nil)
        #expect(try response.decode(as: Problem.self) == Problem(message: "no"))
        #expect(try await stream.collect().bytes.isEmpty)
    }

    @Test func tooManyBytesEndTheExchange() async throws {
        let (site, transport) = site(["aaaa", "bbbb", "cccc"], type: "text/plain")
        let stream = try await site.with { $0.maxBodySize = 10 }.call(.get).stream()
        let error = try await failure { try await stream.collect() }
        #expect(error.code == .bodyTooLarge && error.stage == .delivery)
        #expect(transport.cancelledBodies == 1)
    }

    @Test(arguments: ["application/x-ndjson", "Application/X-NDJSON; charset=utf-8"])
    func acceptedTypeIsStreamed(type: String) async throws {
        let (site, transport) = site(["1\n2\n"], type: type)
        let stream = try await site.call(.get).stream(accepting: "application/x-ndjson", "application/jsonl")
        var numbers: [Int] = []
        for try await number in stream.jsonLines(as: Int.self) { numbers.append(number) }
        #expect(numbers == [1, 2])
        #expect(transport.lastRequest?.headers[.accept] == "application/x-ndjson, application/jsonl")
    }

    @Test func ownAcceptFieldIsKept() async throws {
        let (site, transport) = site(["x"], type: "text/csv")
        let stream = try await site.call(.get, headers: [.accept: "text/csv"]).stream(accepting: "text/*")
        #expect(transport.lastRequest?.headers[.accept] == "text/csv")
        stream.cancel()
    }

    @Test(arguments: ["text/html", nil]) func anotherTypeIsAnError(type: String?) async throws {
        let (site, transport) = site(["<p>", "no"], type: type)
        let error = try await failure { try await site.call(.get).stream(accepting: "text/event-stream", .json) }
        #expect(error.code == .decoding && error.response?.text == "<p>no")
        let name = type.map { "of type \($0)" } ?? "without a media type"
        #expect(error.message.contains("the response is \(name), not text/event-stream or application/json"))
        #expect(transport.requests.count == 1)
    }

    @Test func serviceErrorInAnotherTypeIsDecoded() async throws {
        struct Refusal: Error {}
        let (site, _) = site(["{\"message\":\"no\"}"], type: "application/json")
        let strict = site.with {
            $0.errorDecoders = [ErrorDecoder { $0.mediaType?.isJSON == true ? Refusal() : nil }]
        }
        let error = try await failure { try await strict.call(.get).stream(accepting: "text/event-stream") }
        #expect(error.code == .service && error.cause is Refusal)
    }
}
