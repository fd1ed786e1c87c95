// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import Synchronization

/// Chapter 3: errors, and what they say.
struct Troubles {
    let site: Resource
    let server: LoopbackServer

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Troubles")
        await guide.step(
            "A response never throws for its status; a type does",
            "try await site[\"posts/99\"].get()                // answers 404\ntry await site[\"posts/99\"].get(as: Post.self)  // throws"
        ) {
            let answer = try await site["posts/99"].get()
            let error = try await failure { try await site["posts/99"].get(as: Post.self) }
            try promise(answer.status.code == 404 && error.statusCode == 404, "\(error)")
            return "\(error)\nwith the body: \(error.response?.text ?? "")"
        }
        await guide.step(
            "Data that doesn't match your type is reported with its path",
            "try await site[\"posts\"].get(as: Post.self)"
        ) {
            let error = try await failure { try await site["posts"].get(as: Post.self) }
            try promise(error.code == .decoding, "\(error)")
            return "\(error)"
        }
        await guide.step(
            "Settings for one request; a slow server",
            "try await site[\"slow\"].with { $0.timeout = .milliseconds(200) }.get()"
        ) {
            let error = try await failure { try await site["slow"].with { $0.timeout = .milliseconds(200) }.get() }
            try promise(error.code == .timeout, "\(error)")
            return "\(error)"
        }
        await guide.step(
            "Cancelling a task ends its request",
            "let task = Task { try await site[\"slow\"].get() }\ntask.cancel()"
        ) {
            let before = server.counts.requestsReceived
            let task = Task { try await site["slow"].get() }
            try await server.waitForRequests(before + 1)
            task.cancel()
            do {
                _ = try await task.value
            } catch is CancellationError {
                return "CancellationError"
            }
            throw TourGuide.Surprise(description: "it was answered")
        }
        await visitServers(&guide)
    }

    private func visitClosingServer(_ guide: inout TourGuide) async {
        await guide.step(
            "A server that closes a kept connection: the transport sends the request again",
            "try await site[\"closing\"].get().attempts\nsite.retriesLeft"
        ) {
            let count = Mutex(0)
            server.addRoutes { routes in
                routes.get("/closing") { _ in
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    return number == 2 ? .raw([.close]) : .text("answer \(number)")
                }
            }
            _ = try await site["closing"].get()
            let answer = try await site["closing"].get()
            let left = site.retriesLeft ?? 0
            let closures = answer.attempts.map(\.repetitions.closures)
            try promise(answer.text == "answer 3" && closures == [1] && left > 0, "\(answer)")
            return answer.attempts.map(\.description).joined(separator: "\n") + "\nretries left: \(left)"
        }
    }

    private func visitServers(_ guide: inout TourGuide) async {
        await guide.step(
            "A server that is busy at first, and says for how long",
            "site[\"flaky\"].idempotencyKey = .auto\ntry await site[\"flaky\"].post(text).attempts"
        ) {
            server.addRoutes { $0.post("/flaky", Troubles.flaky()) }
            let flaky = site["flaky"].with { $0.idempotencyKey = .auto }
            let attempts = try await flaky.post(.text("once")).attempts
            let keys = Set(attempts.map { $0.request.headers["Idempotency-Key"] })
            try promise(attempts.map(\.reason) == [.call, .retry, .retry] && keys.count == 1, "\(attempts)")
            let error = try await failure { try await site["flaky"].post(.text("twice")).requireSuccess() }
            try promise(error.attempts.last?.retry?.obstacle == .method(.post), "\(error)")
            return attempts.map(\.description).joined(separator: "\n") + "\nwithout a key: \(error)"
        }
        await visitClosingServer(&guide)
        await guide.step(
            "A server that counts requests, and says what is left",
            "site[\"counted\"].pace = .quota\nfor _ in 0..<4 { try await counted.get() }"
        ) {
            server.addRoutes { $0.get("/counted", Troubles.counted()) }
            let counted = site["counted"]
            counted.pace = .quota
            var lines: [String] = []
            for _ in 0..<4 {
                let answer = try await counted.get()
                try promise(answer.isSuccessful && answer.attempts.count == 1, "\(answer)")
                lines.append("\(answer.status.code): \(answer.quota?.description ?? "")")
            }
            return lines.joined(separator: "\n") + "\nnone was refused: the third waited for the reset"
        }
        await guide.step(
            "A server with one late response: the request is sent once more",
            "let now = site[\"now\"].with { $0.hedging = .after(.milliseconds(50)) }\ntry await now.get().attempts"
        ) {
            let gate = Gate()
            let count = Mutex(0)
            server.addRoutes { routes in
                routes.get("/now") { _ in
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    if number == 1 { try await gate.wait() }
                    return .text("answer \(number)")
                }
            }
            defer { gate.open() }
            let answer = try await site["now"].with { $0.hedging = .after(.milliseconds(50)) }.get()
            try promise(answer.text == "answer 2" && answer.attempts[0].hedge?.winner == 1, "\(answer.attempts)")
            return answer.attempts.map(\.description).joined(separator: "\n")
        }
        await guide.step("A server that is not there", "try await Resource(\"http://127.0.0.1:1\").get()") {
            let error = try await failure { try await Resource("http://127.0.0.1:1").get() }
            try promise(error.code == .connect, "\(error)")
            return "\(error)"
        }
    }

    /// Takes two requests in a third of a second, and refuses the others.
    private static func counted() -> Routes.Respond {
        let window = Mutex((ends: ContinuousClock.now, left: 0))
        return { _ in
            let (left, rest) = window.withLock { window in
                let now = ContinuousClock.now
                if now >= window.ends { window = (now + .milliseconds(300), 2) }
                window.left -= 1
                return (window.left, now.duration(to: window.ends) / .seconds(1))
            }
            // Rounded up, or one that waits comes too early.
            let wait = (max(rest, 0) * 1_000).rounded(.up) / 1_000 + 0.01
            let fields: Headers = [
                "X-RateLimit-Limit": 2, "X-RateLimit-Remaining": max(left, 0), "X-RateLimit-Reset-After": wait,
            ]
            return left < 0 ? ServerResponse(.tooManyRequests, headers: fields) : .text("counted", headers: fields)
        }
    }

    /// Busy twice for each key, and for ever for those who name none.
    private static func flaky() -> Routes.Respond {
        let tries = Mutex<[String: Int]>([:])
        return { request in
            let key = request.headers["Idempotency-Key"] ?? ""
            let count = tries.withLock { tries in
                tries[key, default: 0] += 1
                return tries[key] ?? 1
            }
            return count > 2 && !key.isEmpty
                ? .text("done") : ServerResponse(.serviceUnavailable, headers: ["Retry-After-Ms": "20"])
        }
    }
}
