// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import HTTPTypes
import Observation
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Running calls as views see them.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ObservedCallTests {
    private func ended<Output>(_ call: ObservedCall<Output>) async {
        while call.isRunning { await Task.yield() }
    }

    private func call(_ site: ObservedSite) -> Call<Int> { site.site["n"].call(.get, as: Int.self) }

    @Test func valueIsShownOnceTheCallHasEnded() async throws {
        let gate = Gate()
        let site = ObservedSite {
            try await gate.wait()
            return .json("\($0.number)")
        }
        let observed = call(site).observe()
        #expect(observed.isRunning && observed.value == nil && observed.error == nil)
        gate.open()
        await ended(observed)
        #expect(observed.value == 1 && observed.error == nil)
    }

    @Test func errorIsShownAndAValueStaysNextToIt() async throws {
        let site = ObservedSite { $0.number == 2 ? .status(.notFound) : .json("\($0.number)") }
        let observed = call(site).observe()
        await ended(observed)
        observed.restart()
        #expect(observed.isRunning)
        await ended(observed)
        #expect(observed.value == 1 && (observed.error as? CumulusError)?.statusCode == 404)
        observed.restart()
        #expect(observed.isRunning && observed.error == nil && observed.value == 1)
        await ended(observed)
        #expect(observed.value == 3 && observed.error == nil)
    }

    @Test func cancelledCallHasNoErrorAndCanBeRestarted() async throws {
        let gate = Gate()
        let site = ObservedSite {
            if $0.number == 1 { try await gate.wait() }
            return .json("\($0.number)")
        }
        let observed = call(site).observe()
        while site.count == 0 { await Task.yield() }
        observed.cancel()
        await ended(observed)
        #expect(observed.error == nil && observed.value == nil)
        observed.restart()
        await ended(observed)
        #expect(observed.value == 2)
    }

    @Test func progressOfBothBodiesIsShown() async throws {
        let site = ObservedSite { _ in .text(String(repeating: "b", count: 500)) }
        let body = [UInt8](repeating: 97, count: 300)
        let observed = site.site["n"].call(.post, .bytes(body), as: String.self).observe()
        await ended(observed)
        #expect(observed.sending?.completed == 300 && observed.sending?.fractionCompleted == 1)
        #expect(observed.receiving?.completed == 500)
        observed.restart()
        #expect(observed.sending == nil && observed.receiving == nil)
        await ended(observed)
        #expect(observed.sending?.isFinished == true && observed.receiving?.isFinished == true)
    }

    @Test func callThatIsNoLongerObservedIsCancelled() async throws {
        let gate = Gate()
        let site = ObservedSite { _ in
            try await gate.wait()
            return .json("1")
        }
        var observed: ObservedCall<Int>? = call(site).observe()
        while site.count == 0 { await Task.yield() }
        let object = WeakReference(observed)
        observed = nil
        #expect(object.object == nil)
        while !site.site.runningCalls.isEmpty { await Task.yield() }
        gate.open()
    }

    @Test func viewsOfTheValueAreNotUpdatedByAnError() async throws {
        let site = ObservedSite { $0.number == 1 ? .json("1") : .status(.notFound) }
        let observed = call(site).observe()
        await ended(observed)
        let changes = Mutex(0)
        withObservationTracking {
            _ = observed.value
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        observed.restart()
        await ended(observed)
        #expect(observed.error != nil && changes.withLock(\.self) == 0)
    }

    @Test("A restart during a call shows the result of the latest start only", arguments: 1...20)
    func restartDuringACall(yields: Int) async throws {
        let site = ObservedSite()
        let observed = call(site).observe()
        for _ in 0..<yields { await Task.yield() }
        observed.restart()
        let before = observed.value
        await ended(observed)
        #expect(observed.error == nil)
        #expect(observed.value == site.count && (before == nil || before == 1))
    }
}
