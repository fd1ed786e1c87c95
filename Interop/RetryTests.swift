// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Testing

/// Retries against nginx's `limit_req`, which refuses requests that arrive too soon.
@Suite(.serialized, .enabled(if: InteropServers.nginx != nil, "\(InteropServers.reason)"))
struct RetryTests {
    /// Sends concurrent requests.
    private func burst(_ resource: Resource) async throws -> [Response] {
        try await withThrowingTaskGroup(of: Response.self) { group in
            for _ in 0..<3 { group.addTask { try await resource.get() } }
            var responses: [Response] = []
            for try await response in group { responses.append(response) }
            return responses
        }
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func those429RefusesComeBackWhenTheyAreTold(transport: InteropTransport) async throws {
        let paced = try transport.resource(InteropServers.nginx)["paced"]
        paced.setRules { $0.retry = RetryPolicy(limit: 10) }
        let responses = try await burst(paced)
        #expect(responses.allSatisfy { $0.text == "hello from nginx\n" })
        let retries = responses.flatMap(\.attempts).compactMap(\.retry)
        #expect(!retries.isEmpty)
        #expect(retries.allSatisfy { $0.source == "Retry-After" && $0.delay == .seconds(1) })
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func those503RefusesBackOff(transport: InteropTransport) async throws {
        let busy = try transport.resource(InteropServers.nginx)["busy"]
        busy.setRules { $0.retry = RetryPolicy(limit: 20, backoff: RetryBackoff(base: .milliseconds(500))) }
        let responses = try await burst(busy)
        #expect(responses.allSatisfy { $0.text == "hello from nginx\n" })
        let retries = responses.flatMap(\.attempts).compactMap(\.retry)
        #expect(!retries.isEmpty)
        #expect(retries.allSatisfy { $0.source == nil && $0.cause.hasPrefix("503") })
    }

    @Test(arguments: InteropTransport.withHTTP2)
    func those503RefusesComeBackWhenTheyAreTold(transport: InteropTransport) async throws {
        let resting = try transport.resource(InteropServers.nginx)["resting"]
        resting.setRules { $0.retry = RetryPolicy(limit: 10) }
        let responses = try await burst(resting)
        #expect(responses.allSatisfy { $0.text == "hello from nginx\n" })
        let retries = responses.flatMap(\.attempts).compactMap(\.retry)
        #expect(!retries.isEmpty)
        #expect(retries.allSatisfy { $0.source == "Retry-After" && $0.cause.hasPrefix("503") })
    }

    @Test(arguments: InteropTransport.allCases)
    func aNameThatDoesNotResolveIsTriedAgain(transport: InteropTransport) async throws {
        let nowhere = try transport.resource("http://cumulus-interop.invalid/x")
        nowhere.setRules { $0.retry = RetryPolicy(backoff: RetryBackoff(base: .zero)) }
        for method in [HTTPRequest.Method.get, .post] {
            let error = await #expect(throws: CumulusError.self) { try await nowhere.call(method).send() }
            #expect(error?.code == .lookup, "\(error as Any)")
            #expect(error?.attempts.count == 3 && error?.attempts.last?.retry?.obstacle == .limit(2))
        }
    }

    @Test(.enabled(if: InteropServers.httpbin != nil), arguments: InteropTransport.allCases)
    func whatFailsEverySecondTimeSucceeds(transport: InteropTransport) async throws {
        let moody = try transport.resource(InteropServers.httpbin)["status"][segment: "500:0.2,503:0.3,200:0.5"]
        moody.setRules { $0.retry = RetryPolicy(limit: 50, backoff: RetryBackoff(base: .zero), budget: nil) }
        var attempts = 0
        for _ in 0..<10 { attempts += try await moody.get().requireSuccess().attempts.count }
        #expect(attempts > 10)
    }

    @Test func withoutRetriesARefusalIsTheCallers() async throws {
        let paced = try InteropTransport.nio.resource(InteropServers.nginx)["paced"]
        paced.setRules { $0.retry = .never }
        let refused = try await burst(paced).filter { $0.status == .tooManyRequests }
        #expect(!refused.isEmpty)
        #expect(refused.allSatisfy { $0.attempts.count == 1 && $0.headers[.retryAfter] == "1" })
    }
}
