// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusTestServer
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct WholeCallDeadlineTests {
    @Test("a deadline is reported as it was set, not as the rest that other attempts have left")
    func wholeIsTold() async throws {
        let clock = SteppingClock()
        let server = try await LoopbackServer.start { routes in
            routes.get("/busy") { _ in .redirect(to: "/slow") }
            routes.get("/slow") { _ in .text("late", delay: .seconds(60)) }
        }
        let transport = NIOTransport()
        let site = Resource(server.url, transport: transport.watched) {
            $0.clock = clock
            $0.deadline = .seconds(8)
            $0.timeout = nil
            $0.preflights.append { _ in
                // Before the exchange begins.
                clock.advance(by: .seconds(3))
            }
        }
        let task = Task { try await site["busy"].get() }
        try await server.waitForRequests(2)
        clock.advance(by: .seconds(6))
        let error = await #expect(throws: CumulusError.self) { try await task.value }
        #expect(error?.phase == .total && error?.limit == .seconds(8) && error?.elapsed == .seconds(9))
        #expect(error?.message == "the call to \(server.url) took longer than 8 s, 9 s in all")
        await transport.shutdown()
        await server.shutdown()
    }
}
