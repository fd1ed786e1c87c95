// SPDX-License-Identifier: Apache-2.0

import Cumulus

func reportThatMayFail(at site: Resource) async throws -> Response {
    site.setRules { $0.retry = RetryPolicy(limit: 4) }  // four retries; two without this line
    site.setRules { $0.deadline = .seconds(30) }  // the whole call, including waits

    let report = try await site["report"].get().requireSuccess()
    for attempt in report.attempts { print(attempt) }
    // call: GET https://api.example.com/report: 503 after 12 ms, retried after 2 s (Retry-After)
    // retry: GET https://api.example.com/report: 200 after 31 ms
    return report
}

func orderOnce(at site: Resource) async throws -> Response {
    let orders = site["orders"]
    orders.setRules { $0.idempotencyKey = .auto }  // only if the service documents Idempotency-Key
    let order = try await orders.post(["item": 7]).requireSuccess()  // sent again with the same key, carried out once
    return order
}
