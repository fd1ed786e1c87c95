// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Which codings a resource requests and decodes.
@Suite struct ContentCodingsSettingTests {
    /// Copies bytes; `taken` and `made` are its claims for each byte.
    private final class Copying: ContentDecoder {
        let excess: Int
        init(excess: Int = 0) { self.excess = excess }

        func decode(
            _ input: UnsafeRawBufferPointer,
            into room: UnsafeMutableRawBufferPointer
        ) throws(ContentCodingProblem) -> ContentCodingStep {
            let count = min(input.count, room.count)
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
            return ContentCodingStep(consumed: count, produced: count + excess, state: .complete)
        }
    }

    private static let plain = ContentCoding(name: "Plain", aliases: ["x-plain"], decoder: { Copying() })
    private static let absent = ContentCoding(
        name: "absent",
        missing: { "libabsent.so.1: cannot open shared object file" },
        decoder: { Copying() }
    )

    private func transport(_ coding: String, _ body: [UInt8]) -> StubTransport {
        StubTransport { _ in .response(headers: [.contentEncoding: coding], body: body) }
    }

    @Test func aCodingOfOnesOwnIsAskedForAndUndone() async throws {
        for name in ["plain", "x-plain"] {
            let transport = transport(name, Array("hello".utf8))
            let site = Resource("http://a.example", transport: transport.watched) {
                $0.contentCodings = [Self.plain, .gzip]
            }
            let response = try await site["x"].get()
            #expect(response.text == "hello" && response.headers[.contentEncoding] == nil)
            #expect(transport.lastRequest?.headers[.acceptEncoding] == "plain, gzip")
        }
    }

    @Test("A coding with a missing library is not requested; an unrequested one names the library in the error")
    func whatIsMissingIsNotAskedFor() async throws {
        let transport = transport("absent", [1])
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.contentCodings = [Self.absent, .gzip]
        }
        let error = try await failure { try await site["x"].get(as: [UInt8].self) }
        #expect(transport.lastRequest?.headers[.acceptEncoding] == "gzip")
        #expect(error.code == .contentCoding)
        #expect("\(error)".contains("libabsent.so.1: cannot open"))
        #expect(!Self.absent.isAvailable && ContentCoding.gzip.isAvailable)
        site.setRules { $0.contentCodings = [Self.absent] }
        #expect(try await site["x"].get().contentCodingProblem != nil)
        #expect(transport.lastRequest?.headers[.acceptEncoding] == nil)
        let own = try await site["x"].get(headers: [.acceptEncoding: "absent"])
        #expect(own.bytes.bytes == [1])
    }

    @Test func theNearestListWinsAndAnEmptyOneUndoesNothing() async throws {
        let transport = transport("gzip", CodedSample.gzip)
        let site = Resource("http://a.example", transport: transport.watched) { $0.contentCodings = [] }
        let child = site["x"]
        #expect(try await child.get().bytes.bytes == CodedSample.gzip)
        #expect(transport.lastRequest?.headers[.acceptEncoding] == nil)
        child.setRules { $0.contentCodings = [.gzip] }
        #expect(try await child.get().text == CodedSample.text)
        #expect(transport.lastRequest?.headers[.acceptEncoding] == "gzip")
    }

    @Test("codings that are not listed are not decoded") func unlisted() async throws {
        let site = Resource("http://a.example", transport: transport("gzip", CodedSample.gzip).watched) {
            $0.contentCodings = [.deflate]
        }
        let response = try await site["x"].get()
        #expect(response.bytes.bytes == CodedSample.gzip && response.contentCodingProblem != nil)
        #expect(try await failure { try await site["x"].get(as: String.self) }.code == .contentCoding)
    }

    @Test("Requests for ranges ask for no coding")
    func rangesAskForNone() async throws {
        let transport = transport("identity", [1])
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.contentCodings = [Self.plain, .gzip]
        }
        try await site["x"].get(headers: [.range: "bytes=0-9"]).requireSuccess()
        #expect(transport.lastRequest?.headers[.acceptEncoding] == nil)
    }

    @Test(arguments: [1, -10]) func aDecoderThatClaimsTooMuchIsAnError(excess: Int) async throws {
        let coding = ContentCoding(name: "odd", decoder: { Copying(excess: excess < 0 ? excess : 100_000) })
        let site = Resource("http://a.example", transport: transport("odd", [1, 2, 3]).watched) {
            $0.contentCodings = [coding]
        }
        #expect(try await failure { try await site["x"].get() }.code == .contentCoding)
    }
}
