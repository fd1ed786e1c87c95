// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import Synchronization

/// Chapter 3, too: time limits, retries with your own rule, and a pace.
struct Patience {
    let site: Resource
    let server: LoopbackServer

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Patience")
        server.addRoutes(install)
        await visitLimits(&guide)
        await visitRetries(&guide)
        await visitPace(&guide)
    }

    private func visitLimits(_ guide: inout TourGuide) async {
        await guide.step(
            "A time limit names what took too long",
            "site.timeouts.connect = .milliseconds(300)\nsite.deadline = .milliseconds(200)  // the whole call"
        ) {
            let port = try await UnansweredPort.open()
            defer { port.shutdown() }
            let nowhere = Resource("http://127.0.0.1:\(port.port)")
            nowhere.retry = .never
            nowhere.timeouts.connect = .milliseconds(300)
            let unconnected = try await failure { try await nowhere.get() }
            let late = try await failure { try await site["slow"].with { $0.deadline = .milliseconds(200) }.get() }
            try promise(unconnected.phase == .connect && late.phase == .total, "\(unconnected)\n\(late)")
            try promise(late.limit == .milliseconds(200), "\(late.limit as Any)")
            return "\(unconnected.message)\n\(late.message)"
        }
    }

    private func visitRetries(_ guide: inout TourGuide) async {
        await guide.step(
            "Your own rule: a job that is not done yet is requested again",
            """
            jobs.retry?.decide = { question in
                question.status == .accepted ? .again(after: .milliseconds(20)) : .proposed
            }
            """
        ) {
            let jobs = site["jobs"]
            jobs.retry?.decide = { question in
                question.status == .accepted ? .again(after: .milliseconds(20)) : .proposed
            }
            let done = try await jobs[1].get()
            try promise(done.text == "done" && done.attempts.count == 3, "\(done.attempts)")
            return done.attempts.map(\.description).joined(separator: "\n")
        }
        await guide.step(
            "Somebody is waiting for it: it retries until it succeeds",
            "let text = try await article.with { $0.retry = .solicited }.get(as: String.self)"
        ) {
            let patient = site["article"].with {
                $0.retry = .solicited
                // The tour is in a hurry.
                $0.retry?.backoff = RetryBackoff(base: .milliseconds(1), cap: .milliseconds(10))
            }
            let text = try await patient.get(as: String.self)
            try promise(text == "news", text)
            return "\(text), after five failures"
        }
    }

    private func visitPace(_ guide: inout TourGuide) async {
        await guide.step(
            "No more requests than you say",
            "site.pace = .requests(100, per: .seconds(1), burst: 2)\nfor _ in 0..<6 { try await site[\"posts/1\"].get() }"
        ) {
            let paced = Resource(server.url)
            paced.pace = .requests(100, per: .seconds(1), burst: 2)
            let began = ContinuousClock.now
            for _ in 0..<6 { try await paced["posts/1"].get().requireSuccess() }
            let elapsed = ContinuousClock.now - began
            try promise(elapsed > .milliseconds(35), "\(elapsed)")
            return "two at once, then one each 10 ms"
        }
        await guide.step(
            "As many at once as the server can handle",
            "site.adaptiveConcurrency = AdaptiveConcurrency(upTo: 64)\nprint(site.concurrencyLimit)"
        ) {
            let adaptive = Resource(server.url)
            adaptive.adaptiveConcurrency = AdaptiveConcurrency(upTo: 64)
            let before = adaptive.concurrencyLimit
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 { group.addTask { try await adaptive["posts/1"].get().requireSuccess() } }
                try await group.waitForAll()
            }
            try promise(before == 4, "\(before as Any)")
            return "at first \(before as Any), after 100 requests \(adaptive.concurrencyLimit as Any)"
        }
    }

    /// A job that takes three questions, and an article behind five failures.
    private func install(in routes: inout Routes) {
        let jobs = Atomic(0)
        let articles = Atomic(0)
        routes.get("/jobs/1") { _ in
            jobs.add(1, ordering: .relaxed).newValue > 2 ? .text("done") : .status(.accepted)
        }
        routes.get("/article") { _ in
            articles.add(1, ordering: .relaxed).newValue > 5
                ? .text("news") : .status(.serviceUnavailable, headers: ["Retry-After-Ms": "1"])
        }
    }
}
