// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// A call that must succeed, and whose response has nothing to read.
@Suite(.timeLimit(.minutes(10))) struct VoidFormTests {
    private struct Note: Codable, Sendable { var text = "x" }

    private static let forms: [(String, @Sendable (Resource) async throws -> Void)] = [
        ("GET", { try await $0.get(as: Void.self) }),
        ("HEAD", { try await $0.head(as: Void.self) }),
        ("OPTIONS", { try await $0.options(as: Void.self) }),
        ("DELETE", { try await $0.delete(as: Void.self) }),
        ("POST", { try await $0.post(as: Void.self) }),
        ("PUT", { try await $0.put(["text": "x"], as: Void.self) }),
        ("PATCH", { try await $0.patch(body: Note(), as: Void.self) }),
        ("POST", { try await $0.post(body: Note(), as: Void.self, query: ["a": 1]) }),
        ("PUT", { try await $0.put(body: Note(), as: Void.self) }),
        ("PATCH", { try await $0.patch(as: Void.self, headers: ["X-A": "b"]) }),
        ("PURGE", { try await $0.call(HTTPRequest.Method("PURGE") ?? .get, as: Void.self).send() }),
        ("POST", { try await $0.call(.post, body: Note(), as: Void.self).send() }),
    ]

    @Test(arguments: forms.indices) func eachFormThrowsForABadStatus(index: Int) async throws {
        let (method, send) = Self.forms[index]
        let transport = StubTransport { request in
            request.path == "/gone" ? .text("no", status: .gone) : .text("not JSON", status: .accepted)
        }
        let site = Resource("http://a.example", transport: transport.watched)
        try await send(site["there"])
        #expect(transport.lastRequest?.method.rawValue == method)
        #expect(transport.lastRequest?.headers[.accept] == nil)
        let error = try await failure { try await send(site["gone"]) }
        #expect(error.code == .status && error.response?.status == .gone)
    }

    @Test func errorDecodersSeeSuccessfulResponsesToo() async throws {
        struct Refusal: Error {}
        let site = Resource("http://a.example", transport: StubTransport { _ in .text("error: no") }) {
            $0.errorDecoders = [
                ErrorDecoder { $0.text?.hasPrefix("error") == true ? Refusal() : nil }
            ]
        }
        let error = try await failure { try await site.delete(as: Void.self) }
        #expect(error.code == .service && error.cause is Refusal)
    }
}
