// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Hooks that are methods of types, kept and combined: in array order, stopping at the first failure, with defaults and
/// replacements.
@Suite struct ProcessorTests {
    private struct Stamp: Sendable {
        let text: String
        func process(_ request: inout RequestDraft) async throws {
            request.headers["X-Stamps"] = (request.headers["X-Stamps"] ?? "") + text
        }
        func process(_ value: any Sendable, of response: Response) async throws -> any Sendable {
            (value as? String).map { $0 + text } ?? value
        }
    }

    private struct Failing: Sendable {
        struct Failure: Error {}
        func process(_ request: inout RequestDraft) async throws { throw Failure() }
        func process(_ value: any Sendable, of response: Response) async throws -> any Sendable { throw Failure() }
    }

    private let transport = StubTransport { _ in .text("-") }
    private var site: Resource { Resource("http://a.example", transport: transport.watched) }

    @Test("processors run in the order of their array, the parent's first") func order() async throws {
        let site = site
        site.setRules {
            $0.preflights = [Stamp(text: "a").process, Stamp(text: "b").process]
            $0.postProcessors = [Stamp(text: "1").process, Stamp(text: "2").process]
        }
        let child = site["x"]
        child.setRules {
            $0.preflights = [Stamp(text: "c").process]
            $0.postProcessors = [Stamp(text: "3").process]
        }
        #expect(try await child.get(as: String.self) == "-123")
        #expect(transport.lastRequest?.headers["X-Stamps"] == "abc")
    }

    @Test("the first failure stops the remaining processors") func failure() async throws {
        let site = site
        site.setRules { $0.preflights = [Stamp(text: "a").process, Failing().process, Stamp(text: "b").process] }
        let refused = await #expect(throws: CumulusError.self) { try await site.get(as: String.self) }
        #expect(refused?.code == .refused && refused?.cause is Failing.Failure)
        #expect(transport.requests.isEmpty)
        site.setRules { $0.inherit(\.preflights) }
        site.setRules { $0.postProcessors = [Failing().process, Stamp(text: "1").process] }
        let failed = await #expect(throws: CumulusError.self) { try await site.get(as: String.self) }
        #expect(failed?.code == .postProcessing && failed?.cause is Failing.Failure)
    }

    @Test("a resource can replace the inherited processors with its own") func replacing()
        async throws
    {
        let site = site
        site.setRules { $0.preflights = [Stamp(text: "a").process] }
        let child = site["x"]
        child.setRules { $0.preflights = .replacing([Stamp(text: "b").process]) }
        try await child.get().requireSuccess()
        #expect(transport.lastRequest?.headers["X-Stamps"] == "b")
    }
}
