// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import Testing

@Suite(.timeLimit(.minutes(10))) struct FaultScriptTests {
    /// Which of 40 requests got the whole response.
    private static func successes(_ script: FaultScript) async throws -> [Bool] {
        let server = try await LoopbackServer.start(configuration: .init(faults: script)) { routes in
            routes.get("/x") { _ in .text("whole") }
        }
        var successes: [Bool] = []
        for _ in 0..<40 {
            let request = "GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            successes.append(try await RawClient.exchange(server.port, request).text.hasSuffix("whole"))
        }
        await server.shutdown()
        return successes
    }

    @Test("random faults are repeated by their seed") func seeds() async throws {
        let script = FaultScript.random([.close, .cut(at: 2)], rate: 0.5)
        let seed = try #require(script.seed)
        let first = try await Self.successes(script)
        #expect(try await Self.successes(.random([.close, .cut(at: 2)], rate: 0.5, seed: seed)) == first)
        #expect(try await Self.successes(.random([.close, .cut(at: 2)], rate: 0.5, seed: seed &+ 1)) != first)
    }

    @Test func rateDecidesHowManyRequestsFail() async throws {
        #expect(try await Self.successes(.random(rate: 0, seed: 1)).allSatisfy { $0 })
        #expect(try await Self.successes(.random([.close], rate: 1, seed: 1)).allSatisfy { !$0 })
        let some = try await Self.successes(.random([.close], rate: 0.5, seed: 1)).count { $0 }
        #expect((10...30).contains(some))
        #expect(FaultScript.sequence([.close]).seed == nil)
    }
}
