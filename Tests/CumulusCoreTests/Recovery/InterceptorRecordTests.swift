// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// The record of a call whose interceptor sends its request twice, and returns one of the responses.
@Suite(.timeLimit(.minutes(10))) struct InterceptorRecordTests {
    @Test(
        "each request has one record, whichever response is returned",
        arguments: [[421, 200, 200], [200, 421, 200], [200, 200]],
        [true, false]
    )
    func bothResponses(statuses: [Int], returnsFirst: Bool) async throws {
        let transport = StubTransport { request in .response(.init(code: statuses[request.number - 1])) }
        let site = Resource("https://a.example", transport: transport.watched) { rules in
            rules.interceptors.append { request, next in
                let first = try await next(request)
                let second = try await next(request)
                return returnsFirst ? first : second
            }
        }
        let response = try await site.get()
        #expect(response.attempts.count == transport.requests.count && response.status == .ok)
        #expect(response.attempts.map(\.number) == Array(1...statuses.count))
        #expect(response.attempts.allSatisfy { $0.elapsed >= .zero })
    }

    @Test("a response that an interceptor makes from another one has that one's record")
    func ownResponse() async throws {
        let transport = StubTransport { _ in .text("theirs") }
        let site = Resource("https://a.example", transport: transport.watched) { rules in
            rules.interceptors.append { request, next in
                let response = try await next(request)
                return TransportResponse(head: response.head, body: ResponseBody(complete: ByteChunk("own")))
            }
        }
        let response = try await site.get()
        #expect(response.text == "own" && response.attempts.map(\.reason) == [.call])
    }
}
