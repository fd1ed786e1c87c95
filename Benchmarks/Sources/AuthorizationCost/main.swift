// SPDX-License-Identifier: Apache-2.0

import AllocationCount
import CumulusCore
import CumulusOAuth
import Foundation
import HTTPTypes

// What an authorizer costs a call that has its token: GETs over a transport that answers at once, without one and with
// one. The allocations are the same on each run, and must be no more than the one of the list of fields that takes the
// proof; the time must be no more than 2 % of w1, a GET by the network (RESULTS.md).

/// Answers without a network.
struct InstantTransport: Transport {
    private final class Empty: ResponseBodySource {
        func next() async throws -> ResponseBodyElement { .end(ExchangeEnd()) }
        func cancel() {}
    }

    var capabilities: TransportCapabilities {
        var capabilities = TransportCapabilities()
        // As NIOTransport: no task is needed to cancel a request by.
        capabilities.attachesExchanges = true
        return capabilities
    }

    func identity(at origin: Origin) -> TransportIdentity { .anonymous }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        TransportResponse(
            head: ResponseHead(status: .ok),
            body: ResponseBody(expectedLength: 0, source: Empty())
        )
    }
}

struct Cost {
    var nanoseconds: Double
    var allocations: Double
}

let calls = 20_000

func cost(of resource: Resource) async throws -> Cost {
    for _ in 0..<calls / 10 { _ = try await resource.get() }
    var times: [Double] = []
    var allocations: [Double] = []
    for _ in 0..<9 {
        let before = allocation_count()
        let start = ContinuousClock.now
        for _ in 0..<calls { _ = try await resource.get() }
        let elapsed = ContinuousClock.now - start
        allocations.append(Double(allocation_count() - before) / Double(calls))
        times.append(Double(elapsed.components.attoseconds) / 1e9 / Double(calls))
    }
    return Cost(nanoseconds: times.sorted()[4], allocations: allocations.min() ?? 0)
}

func site(_ rules: (inout Resource.Rules) -> Void = { _ in }) -> Resource {
    Resource("http://127.0.0.1", transport: InstantTransport(), rules)["w1"]
}

let token = String(repeating: "t", count: 40)
let plain = try await cost(of: site())
let byHand = try await cost(of: site { $0.headers[.authorization] = "Bearer \(token)" })
let kinds: [(String, BoundAuthorizer)] = [
    ("bearer", .bearer(Secret(token))), ("basic", .basic(user: "ada", password: "lovelace")),
    ("API key", .apiKey(Secret(token), header: "X-API-Key")),
    ("bearer, refreshing", .bearer { _ in BearerToken(Secret(token), lifetime: .seconds(3_600)) }),
    (
        "OAuth 2",
        .oauth2(
            .stored(client: "cli"),
            tokens: "http://127.0.0.1/token",
            store: MemoryTokenStore(OAuth2Token(access: Secret(token), source: "cli at http://127.0.0.1/token"))
        )
    ),
]
// 2 % of w1 on the machine of RESULTS.md, 53 µs.
let allowance = 1_060.0
func show(_ name: String, _ cost: Cost) {
    let more = (cost.nanoseconds - plain.nanoseconds).rounded()
    let padded = name + String(repeating: " ", count: max(1, 20 - name.utf8.count))
    print("\(padded)\(Int(cost.nanoseconds)) ns (\(Int(more)) more)   \(cost.allocations) allocations")
}
show("no authorizer", plain)
show("a header by hand", byHand)
var holds = true
for (name, authorizer) in kinds {
    let result = try await cost(of: site { $0.authorizers = [authorizer] })
    show(name, result)
    holds = holds && result.allocations - plain.allocations <= 1 && result.nanoseconds - plain.nanoseconds <= allowance
}
exit(holds ? 0 : 1)
