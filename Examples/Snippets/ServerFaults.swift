// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer

func misbehavingServer() async throws {
    // snippet.faults
    let faults = FaultScript.sequence([], [.delay(.seconds(1)), .cut(at: 100)], [.close])
    let server = try await LoopbackServer.start(configuration: .init(faults: faults)) { routes in
        routes.get("/posts") { _ in .json(["Clouds"]) }
        routes.get("/flaky") { _ in .text("sometimes").failing(.drip(bytes: 1, every: .milliseconds(10))) }
    }
    // snippet.end
    await server.shutdown()
}

func randomFaults() async throws {
    // snippet.random
    let faults = FaultScript.random(rate: 0.2)  // prints its seed
    let again = FaultScript.random(rate: 0.2, seed: 1_234)
    // snippet.end
    _ = (faults, again)
}
