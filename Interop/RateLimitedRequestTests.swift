// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Testing

/// Rate limits against nginx's `limit_req`, two requests a second and one more at once: a client that complies is never refused.
@Suite(.serialized, .enabled(if: InteropServers.nginx != nil, "\(InteropServers.reason)"))
struct RateLimitedRequestTests {
    @Test(arguments: InteropTransport.withHTTP2)
    func whoKeepsToTheRateIsNotRefused(transport: InteropTransport) async throws {
        let place = try transport.resource(InteropServers.nginx)["turns"]
        place.setRules { $0.retry = .never }
        // Slower than nginx counts: one that was held up on its way is followed by the next one sooner.
        place.setRules { $0.rateLimit = .requests(10, per: .seconds(10)) }
        // What came before, from other tests, is over.
        try await SystemClock().sleep(for: .seconds(1))
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<5 { group.addTask { try await place.get().statusCode } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [200, 200, 200, 200, 200])
    }

    @Test func afterARefusalOneGoesFirst() async throws {
        let place = try InteropTransport.nio.resource(InteropServers.nginx)["turns"]
        place.setRules {
            $0.retry = RetryPolicy(limit: 10)
            $0.rateLimit = .quota
        }
        let responses = try await withThrowingTaskGroup(of: Response.self) { group in
            for _ in 0..<4 { group.addTask { try await place.get() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(responses.allSatisfy { $0.isSuccessful })
    }
}
