// SPDX-License-Identifier: Apache-2.0

import Cumulus

func rateLimiting(_ site: Resource) async throws {
    // snippet.requests
    site.setRules { $0.rateLimit = .requests(10, per: .seconds(1), burst: 5) }  // 5 at once, then one every 100 ms
    site["reports"].setRules { $0.rateLimit = .requests(30, per: .seconds(60)) }  // its own queue: one every 2 s
    // snippet.end

    // snippet.quota
    site["search"].setRules { $0.rateLimit = .quota }  // waits when the server reports that nothing is left
    site["issues"].setRules { $0.rateLimit = .requests(5, per: .seconds(1)).heedingQuota(maxWait: nil) }
    // snippet.end

    // snippet.facts
    let response = try await site["users"].get()
    if let quota = response.quota { print(quota) }  // 4987 of 5000 left, reset after 41 min 3 s
    // snippet.end

    // snippet.tracking
    site.setRules { $0.rateLimit = .tracking }
    _ = try await site["users"].get()
    if let left = site.quota?.remaining, left < 100 { print("only \(left) until \(site.quota?.reset as Any)") }
    let watcher = Task {
        for await quota in site.quotas { print(quota) }  // now, and after each response with new values
    }
    // snippet.end
    watcher.cancel()
}
