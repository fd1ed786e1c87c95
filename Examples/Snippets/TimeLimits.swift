// SPDX-License-Identifier: Apache-2.0

import Cumulus

func limits(_ site: Resource) async throws {
    // snippet.limits
    site.setRules { $0.timeout = .seconds(20) }  // how long the server may be silent
    site.setRules {
        $0.connectTimeout = .seconds(3)
        $0.minimumRate = MinimumRate(bytesPerSecond: 1_000, over: .seconds(10))
        $0.deadline = .seconds(60)  // the whole call: including retries, redirects and body
    }
    let report = try await site["report"].with { $0.responseTimeout = .seconds(120) }.get()  // it is slow to compute
    // snippet.end
    _ = report

    // snippet.error
    do {
        _ = try await site["posts"].get()
    } catch let error as CumulusError where error.code == .timeout {
        // connecting to https://api.example.com took longer than 3 s
        print(error.message)
        if error.phase == .connect { print("is the server there?", error.limit ?? .zero, error.elapsed ?? .zero) }
    }
    // snippet.end
}
