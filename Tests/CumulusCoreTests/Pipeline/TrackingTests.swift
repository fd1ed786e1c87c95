// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// Tracking: the requests in the list, those that need their own task, and those that may share a response.
@Suite(.timeLimit(.minutes(10))) struct TrackingTests {
    private func site(attaches: Bool = true) -> Resource {
        var capabilities = TransportCapabilities()
        capabilities.attachesExchanges = attaches
        return Resource(
            "https://a.example",
            transport: StubTransport(capabilities: capabilities) { _ in .text("") }.watched
        )
    }

    private func tracking(_ edit: (inout Resource.Rules) -> Void) -> Tracking {
        let site = site()
        site.setRules(edit)
        return site.snapshot.pipeline.tracking
    }

    @Test func aTaskIsMadeOnlyForThoseWhoMayWaitForMoreThanTheTransport() {
        #expect(!tracking { _ in }.needsTask)
        #expect(!tracking { $0.authorizers = [.bearer("t")] }.needsTask)
        #expect(tracking { $0.interceptors = [{ try await $1($0) }] }.needsTask)
        #expect(tracking { $0.validators = [{ _ in }] }.needsTask)
        #expect(tracking { $0.postProcessors = [{ value, _ in value }] }.needsTask)
        #expect(tracking { $0.bandwidth = Bandwidth(bytesPerSecond: 1) }.needsTask)
        #expect(site(attaches: false).snapshot.pipeline.tracking.needsTask)
    }

    @Test func preflightsRunBeforeARequestIsOnTheList() async throws {
        let site = site()
        site.setRules {
            $0.preflights = [{ [site] _ in #expect(site.runningCalls.isEmpty) }]
            $0.validators = [{ [site] _ in #expect(site.runningCalls.count == 1) }]
        }
        try await site.get().requireSuccess()
        #expect(site.runningCalls.isEmpty)
        site.setRules {
            $0.preflights = []
            $0.validators = []
        }
    }

    @Test func aJoiningCallsKeyHoldsWhatMustBeTheSame() throws {
        let request = try EncodedRequest(method: .get, url: RequestURL("https://a.example/x?q=1"))
        let one = tracking { _ in }.joinKey(request, .joining("x"))
        #expect(one != nil)
        #expect(one == tracking { _ in }.joinKey(request, .joining("x")))
        #expect(one != tracking { _ in }.joinKey(request, .joining("y")))
        #expect(one != tracking { $0.timeout = .seconds(1) }.joinKey(request, .joining("x")))
        let post = try EncodedRequest(method: .post, url: RequestURL("https://a.example/x"))
        #expect(tracking { _ in }.joinKey(post, .joining("x")) == nil)
    }

    @Test func aClosedTreeTakesNoMoreAndAFailureLeavesTheList() async throws {
        let site = site()
        site.setRules { $0.validators = [{ _ in throw CancellationError() }] }
        await #expect(throws: CancellationError.self) { try await site.get() }
        #expect(site.runningCalls.isEmpty)
        await site.shutdown()
        let error = await #expect(throws: CumulusError.self) { try await site.get() }
        #expect(error?.code == .shutdown)
        #expect(site.runningCalls.isEmpty)
    }
}
