// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// Retries of requests that no proxy forwarded, and of bodies whose method may not be sent twice.
@Suite(.timeLimit(.minutes(10))) struct RetryProxyTests {
    private static let hasty = RetryPolicy(backoff: RetryBackoff(base: .zero))

    private func site(
        _ policy: RetryPolicy = hasty,
        _ answer: @escaping @Sendable (StubRequest) throws -> StubResponse
    ) -> (Resource, StubTransport) {
        let transport = StubTransport { try answer($0) }
        let site = Resource("http://a.example", transport: transport.watched) { $0.retry = policy }
        return (site, transport)
    }

    private static func refusal(_ reason: ProxyRefusal.Reason) throws -> TransportFailure {
        TransportFailure(.proxy, "no tunnel", fate: .unsent, cause: ProxyRefusal(by: try Proxy("http://p:1"), reason))
    }

    @Test(
        "a POST that a busy proxy did not forward is retried; a permanent refusal is not",
        arguments: [
            (ProxyRefusal.Reason.status(503), 2), (.status(502), 2), (.reply(1), 2), (.reply(4), 2), (.reply(91), 2),
            (.status(403), 1), (.credentials, 1), (.reply(2), 1), (.reply(92), 1),
        ]
    )
    func busyProxy(_ reason: ProxyRefusal.Reason, _ count: Int) async throws {
        let (site, transport) = site { try $0.number == 1 ? .failure(Self.refusal(reason)) : .text("ok") }
        _ = try? await site.post(.text("1"))
        #expect(transport.requests.count == count)
    }

    @Test("an interceptor that first gets a proxy's refusal has sent nothing yet")
    func interceptedProxy() async throws {
        let (site, transport) = site { request in
            switch request.number {
            case 1: return .failure(try Self.refusal(.status(403)))
            case 2: return .failure(TransportFailure(.connect, "refused"))
            default: return .text("ok")
            }
        }
        site.setRules {
            $0.interceptors.append { request, next in
                do { return try await next(request) } catch { return try await next(request) }
            }
        }
        #expect(try await site.post(.text("1")).text == "ok")
        #expect(transport.requests.count == 3)
    }

    @Test("if GET is not among the methods, the rest of a body that broke off is not requested either")
    func noMethods() async throws {
        let cut = TransportFailure(.truncated, "cut", fate: .unknown)
        let answer = StubResponse.script(
            [.chunk(Array(repeating: 1, count: 50)), .fail(cut)],
            headers: [.contentLength: "2000000", .eTag: "\"1\""]
        )
        var policy = Self.hasty
        for (methods, count) in [([], 1), ([.get], 2)] as [(Set<HTTPRequest.Method>, Int)] {
            policy.methods = methods
            let (site, transport) = site(policy) { $0.number < 3 ? answer : .status(.notFound) }
            _ = try? await site.get()
            #expect(min(transport.requests.count, 2) == count)
        }
    }
}
