// SPDX-License-Identifier: Apache-2.0

import Cumulus

func retrying(_ site: Resource) async throws {
    // snippet.policy
    site.setRules { $0.retry = RetryPolicy(limit: 4) }  // instead of 2
    site.setRules {
        $0.retry?.backoff = RetryBackoff(base: .milliseconds(500), cap: .seconds(5))
        $0.retry?.maxTime = .seconds(30)  // no retry starts later than this
    }
    site["audit"].setRules { $0.retry = .never }  // no request is sent twice here
    // snippet.end

    // snippet.attempts
    let response = try await site["posts"].get()  // a `ResponseStream` also has them
    for attempt in response.attempts { print(attempt) }
    // call: GET https://api.example.com/posts: 503 after 12 ms, retried after 2 s (Retry-After)
    // retry: GET https://api.example.com/posts: 200 after 31 ms
    // snippet.end

    // snippet.budget
    if let left = site.retriesLeft { print("\(left) retries left") }
    // snippet.end

    // snippet.key
    let orders = site["orders"]
    orders.setRules { $0.idempotencyKey = .auto }  // the service must document that it supports the field
    let created = try await orders.post(body: Post(title: "one"))  // may be retried, and is carried out once
    // snippet.end

    // snippet.solicited
    let article = site["article"].with { $0.retry = .solicited }
    let text = try await article.get(as: String.self)  // cancelling the task ends it
    // snippet.end
    _ = (text, created)

    // snippet.decide
    site["jobs"].setRules {
        $0.retry?.decide = { question in
            // A job that isn't finished yet is requested again.
            if question.status == .accepted { return .again(after: .seconds(1)) }
            // With this service, a 500 is permanent.
            if question.status == .internalServerError { return .stop }
            return .proposed
        }
    }
    // snippet.end

    // snippet.transient
    do {
        _ = try await site["posts"].post(body: Post(title: "two"))
    } catch let error as CumulusError where error.isTransient {
        print("worth trying later: \(error)")
    }
    // snippet.end
}

func resuming(_ site: Resource) async throws {
    // snippet.resumes
    site["feeds"].setRules { $0.resumes = false }  // a body that breaks off is never resumed
    // snippet.end
}

func breaking(site: Resource) {
    // snippet.breaker
    let breaker = CircuitBreaker(failures: 5, pause: .seconds(30))
    site.setRules { $0.interceptors.append(breaker.intercept) }
    // snippet.end
}
