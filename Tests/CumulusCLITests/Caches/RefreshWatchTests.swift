// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusCLI

@Suite(.timeLimit(.minutes(10))) struct RefreshWatchTests {
    @Test func onlyBusyAndRecentSitesAreKept() async throws {
        let (watch, gate) = (RefreshWatch(), Gate())
        let busy = Resource("http://busy.test/", transport: StubTransport { _ in .script([.gate(gate)]) })
        let call = busy.call(.get).start()
        while busy.runningCalls.isEmpty { await Task.yield() }
        watch.add(busy)
        let idle = StubTransport { _ in .text("") }
        for number in 0..<1_000 { watch.add(Resource("http://idle\(number).test/", transport: idle)) }
        let sites = watch.sites.withLock(\.self)
        #expect(sites.count < 256 && sites.contains { !$0.runningCalls.isEmpty })
        #expect(sites.last?.urlString == "http://idle999.test/")
        gate.open()
        _ = try await call.value
    }
}
