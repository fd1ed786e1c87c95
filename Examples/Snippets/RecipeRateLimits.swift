// SPDX-License-Identifier: Apache-2.0

import Cumulus

func keepsToRates(_ site: Resource) async throws -> [String] {
    // snippet.limit
    // One every 100 ms; if the server reports that none is left, wait for up to a minute.
    site.setRules { $0.rateLimit = .requests(10, per: .seconds(1)).heedingQuota(maxWait: .seconds(60)) }
    // snippet.end

    let names = try await withThrowingTaskGroup(of: String.self) { group in
        for id in 1...5 { group.addTask { try await site["names"][id].get(as: String.self) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
    if let quota = site.quota { print(quota) }  // 4995 of 5000 left, reset after 41 min 3 s
    return names
}
