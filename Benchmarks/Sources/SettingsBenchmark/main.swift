// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Measure

/// A transport that is never asked: resolving settings sends nothing.
struct NoTransport: Transport {
    let capabilities = TransportCapabilities()

    func identity(at origin: Origin) -> TransportIdentity { .unknown }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw TransportFailure(.unsupported, "nothing is sent here")
    }
}

/// Keeps the optimizer from dropping a result.
@inline(never)
func consume<Value>(_ value: Value) {}

func benchmarkSettings() {
    let site = Resource("https://api.example.com/v1", transport: NoTransport()) {
        $0.timeout = .seconds(20)
        $0.headers["X-Api-Key"] = "k"
        $0.query["token"] = "abc"
    }
    let posts = site["posts"]
    posts.setRules { $0.timeout = .seconds(60) }
    let deep = posts["a/b/c"][1][2]
    let measure = Measure()
    let root = measure.run("resolve an unchanged root", times: 2_000_000) { consume(site.settings) }
    let leaf = measure.run("resolve an unchanged leaf, six levels down", times: 2_000_000) { consume(deep.settings) }
    let make = measure.run("make a child: site[42]", times: 300_000) { consume(site[42]) }
    let fresh = measure.run("make a child and resolve it", times: 300_000) { consume(site[42].settings) }
    measure.run("make a child by interpolation", times: 200_000) { consume(site["users/\(7)/repos"]) }
    measure.run("read one setting by name", times: 1_000_000) { consume(deep.timeout) }
    measure.run("change the root, then resolve the leaf", times: 50_000) {
        site.setRules { $0.timeout = .seconds(20) }
        consume(deep.settings)
    }
    // `settings` gives a copy, which is the one allocation.
    let holds = root.allocations <= 1 && leaf.allocations <= 1
    let extra = fresh.allocations - make.allocations
    print("unchanged tree: at most 1 allocation: \(holds ? "yes" : "NO")")
    print("resolving a fresh child: at most 5 allocations beyond making it: \(extra <= 5 ? "yes" : "NO")")
}

benchmarkSettings()
