// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

/// Processors as in Cycles: in array order, stopping at the first failure, defaults and replacements (Y-14, Y-25, M31).
@Suite struct ProcessorTests {
    private struct Stamp: RequestProcessor, ResponseProcessor {
        let text: String
        func process(_ request: inout RequestDraft) async throws {
            request.headers["X-Stamps"] = (request.headers["X-Stamps"] ?? "") + text
        }
        func process(_ value: any Sendable, of response: Response) async throws -> any Sendable {
            (value as? String).map { $0 + text } ?? value
        }
    }

    private struct Failing: RequestProcessor, ResponseProcessor {
        struct Failure: Error {}
        func process(_ request: inout RequestDraft) async throws { throw Failure() }
        func process(_ value: any Sendable, of response: Response) async throws -> any Sendable { throw Failure() }
    }

    private let transport = StubTransport { _ in .text("-") }
    private var site: Resource { Resource("http://a.example", transport: transport) }

    @Test("Y-14: processors run in the order of their array, the parent's first") func order() async throws {
        let site = site
        site.preflights = .processors(Stamp(text: "a"), Stamp(text: "b"))
        site.postProcessors = .processors(Stamp(text: "1"), Stamp(text: "2"))
        let child = site["x"]
        child.preflights = .processors(Stamp(text: "c"))
        child.postProcessors = .processors(Stamp(text: "3"))
        #expect(try await child.get(as: String.self) == "-123")
        #expect(transport.lastRequest?.headers["X-Stamps"] == "abc")
    }

    @Test("Y-14: the first failure stops those after it") func failure() async throws {
        let site = site
        site.preflights = .processors(Stamp(text: "a"), Failing(), Stamp(text: "b"))
        let refused = await #expect(throws: CumulusError.self) { try await site.get(as: String.self) }
        #expect(refused?.code == .refused && refused?.cause is Failing.Failure)
        #expect(transport.requests.isEmpty)
        site.inherit(\.preflights)
        site.postProcessors = .processors(Failing(), Stamp(text: "1"))
        let failed = await #expect(throws: CumulusError.self) { try await site.get(as: String.self) }
        #expect(failed?.code == .postProcessing && failed?.cause is Failing.Failure)
    }

    @Test("Y-25: a resource's own processors take the place of the default ones where it says so") func replacing()
        async throws
    {
        let site = site
        site.preflights = .processors(Stamp(text: "a"))
        let child = site["x"]
        child.preflights = .replacing(.processors(Stamp(text: "b")))
        try await child.get().requireSuccess()
        #expect(transport.lastRequest?.headers["X-Stamps"] == "b")
    }
}
