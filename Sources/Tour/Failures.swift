// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// Errors that say what happened, and to which request.
struct Failures {
    let url: String

    private struct Article: Decodable, Sendable {
        var id: Int
        var author: String
    }

    func visit(_ guide: inout TourGuide) async throws {
        let site = Resource(url)
        let posts = site["posts"]
        guide.chapter("What can go wrong")
        try await guide.step(
            "A call without a type doesn't throw for a status; a call with a type does",
            "try await posts[99].get()  // has the status 404\ntry await posts[99].get(as: Post.self)"
        ) {
            let status = try await posts[99].get().status
            let error = try await failure { try await posts[99].get(as: Post.self) }
            try check(status == .notFound && error.code == .status, "\(status) \(error)")
            return "\(error)"
        }
        try await guide.step(
            "The service's own explanation is a value (RFC 9457)",
            "catch let error as CumulusError { print(error.problem?.detail, error.problem?[\"balance\"].int) }"
        ) {
            let error = try await failure { try await site["credit"].get(as: Post.self) }
            let problem = error.problem
            try check(problem?["balance"] == 30, "\(error)")
            return "\(problem?.detail ?? "") (balance: \(problem?["balance"].int ?? 0))"
        }
        try await guide.step(
            "A decoding error shows where the data doesn't fit your type",
            "try await posts.get(as: [Article].self)  // an Article has an author"
        ) {
            let error = try await failure { try await posts.get(as: [Article].self) }
            try check(error.code == .decoding && error.message.utf8.contains("author".utf8), "\(error)")
            return error.message
        }
        try await guide.step(
            "An error for a time limit names what took too long",
            "try await site[\"slow\"].with { $0.deadline = .milliseconds(200) }.get()"
        ) {
            let error = try await failure { try await site["slow"].with { $0.deadline = .milliseconds(200) }.get() }
            try check(error.code == .timeout && error.phase == .total, "\(error)")
            return error.message
        }
    }
}

/// What is sent again, and what isn't.
struct Retries {
    let url: String

    func visit(_ guide: inout TourGuide) async throws {
        let orders = Resource(url)["orders"]
        guide.chapter("A busy server")
        try await guide.step(
            "A request is retried when the server requests it, and the response lists the attempts",
            "for attempt in try await orders[1].get().attempts { print(attempt) }"
        ) {
            let response = try await orders[1].get()
            try check(
                response.attempts.map(\.reason) == [.call, .retry, .retry] && response.text == "done",
                "\(response)"
            )
            return response.attempts.map(\.description).joined(separator: "\n")
        }
        try await guide.step(
            "A POST could take effect twice, so it is retried only with a key that identifies it to the service",
            "try await orders[2].post([\"item\": 7]).requireSuccess()\n"
                + "orders.setRules { $0.idempotencyKey = .auto }; try await orders[2].post([\"item\": 7])"
        ) {
            let error = try await failure { try await orders[2].post(["item": 7]).requireSuccess() }
            try check(error.attempts.count == 1 && error.statusCode == 502, "\(error)")
            orders.setRules { $0.idempotencyKey = .auto }
            let response = try await orders[2].post(["item": 7])
            let keys = Set(response.attempts.map { $0.request.headers["Idempotency-Key"] })
            try check(response.text == "done" && response.attempts.count == 3 && keys.count == 1, "\(response)")
            return "\(error)\n\(response.text ?? ""), after \(response.attempts.count) attempts with \(keys.count) key"
        }
    }
}
