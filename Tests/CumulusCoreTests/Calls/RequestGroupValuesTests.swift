// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Groups of typed values.
@Suite struct RequestGroupValuesTests {
    private let site = Resource(
        "http://a.example",
        transport: StubTransport { request in
            request.path == "/3" ? .text("no", status: .notFound) : .json(String(request.path.dropFirst()))
        }.watched
    )

    @Test("values are in the order of their requests")
    func inOrder() async throws {
        let outcome = await RequestGroup().values(of: [5, 1, 4].map { site[$0].call(.get, as: Int.self) })
        #expect(outcome.isSuccessful)
        #expect(outcome.values == [5, 1, 4])
        #expect(try outcome.get() == [5, 1, 4])
    }

    @Test("a failure doesn't affect the others")
    func oneFails() async throws {
        let outcome = await RequestGroup().values(of: (1...4).map { site[$0].call(.get, as: Int.self) })
        #expect(!outcome.isSuccessful)
        #expect(outcome.values == [1, 2, 4])
        #expect(outcome.results.count == 4)
        #expect((outcome.errors.first as? CumulusError)?.code == .status)
        #expect(throws: CumulusError.self) { try outcome.get() }
    }

    @Test("a group without requests is a success, and a group runs once")
    func none() async throws {
        let group = RequestGroup()
        let first = await group.values(of: [Call<Int>]())
        #expect(first.isSuccessful)
        let second = await group.values(of: [site[1].call(.get, as: Int.self)])
        #expect(second.errors.first is RequestGroup.AlreadyRun)
    }

    @Test("a cancelled group's requests are cancelled")
    func cancelled() async throws {
        let group = RequestGroup()
        group.cancel()
        let outcome = await group.values(of: [site[1].call(.get, as: Int.self)])
        #expect(outcome.errors.first is CancellationError)
    }
}
