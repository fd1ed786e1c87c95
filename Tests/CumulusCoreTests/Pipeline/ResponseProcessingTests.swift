// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Hooks that replace the received response.
@Suite struct ResponseProcessingTests {
    private struct Odd: Error {}

    private let site = Resource(
        "http://a.example",
        transport: StubTransport { request in
            request.path == "/missing" ? .text("no", status: .notFound) : .json(")]}',\n[1,2]")
        }.watched
    )

    private func strip(_ response: Response) throws -> Response {
        let bytes = response.bytes.bytes
        guard bytes.starts(with: ")]}',\n".utf8) else { return response }
        return response.replacingBody(with: Array(bytes.dropFirst(6)))
    }

    @Test("a processor gets the response, and callers get its result")
    func replaced() async throws {
        site.setRules { $0.responseProcessors = [strip] }
        #expect(try await site["a"].get(as: [Int].self) == [1, 2])
        let whole = try await site["a"].get()
        #expect(whole.text == "[1,2]")
        #expect(whole.headers[.contentLength] == nil)
        #expect(whole.isComplete)
    }

    @Test("processors form a chain, the root's first, and see every status")
    func chain() async throws {
        site.setRules {
            $0.responseProcessors = [{ $0.replacingBody(with: $0.bytes.bytes + Array("a".utf8), type: .text) }]
        }
        let child = site["missing"]
        child.setRules { $0.responseProcessors.append { $0.replacingBody(with: $0.bytes.bytes + Array("b".utf8)) } }
        let response = try await child.get()
        #expect(response.text == "noab")
        #expect(response.mediaType?.essence == "text/plain")
        let error = try await failure { try await child.get(as: String.self) }
        #expect(error.code == .status)
        #expect(error.response?.text == "noab")
    }

    @Test("a processor's error fails the call")
    func throwing() async throws {
        site.setRules { $0.responseProcessors = [{ _ in throw Odd() }] }
        let error = try await failure { try await site["a"].get() }
        #expect(error.code == .validation && error.cause is Odd)
    }
}
