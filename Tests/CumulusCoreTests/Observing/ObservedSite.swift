// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport

@testable import CumulusCore

/// A resource whose server sends the request's number, unless a test says otherwise.
final class ObservedSite: Sendable {
    let clock = ManualClock()
    let transport: StubTransport
    let site: Resource

    init(_ answer: @escaping @Sendable (StubRequest) async throws -> StubResponse = { .json("\($0.number)") }) {
        transport = StubTransport { try await answer($0) }
        let clock = clock
        site = Resource("http://a.example", transport: transport.watched) {
            $0.clock = clock
            $0.retry = .never
        }
    }

    var count: Int { transport.requests.count }
    var isObserved: Bool { !site.tree.context.observed.isEmpty }
}

extension ResourceUpdates {
    /// The first state that a test waits for.
    func first(where fits: @Sendable (ResourceState<Value>) -> Bool) async throws -> ResourceState<Value> {
        for await state in self where fits(state) { return state }
        throw CancellationError()
    }

    /// The first state in which nothing is loaded.
    var settled: ResourceState<Value> {
        get async throws { try await first { !$0.isLoading } }
    }
}
