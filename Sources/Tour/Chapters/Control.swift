// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// Chapter 9: requests that are prepared, watched, joined, limited, grouped and cancelled.
struct Control {
    let site: Resource

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("A request's life")
        await visitPreparing(&guide)
        await visitRunning(&guide)
    }

    private func visitPreparing(_ guide: inout TourGuide) async {
        await guide.step(
            "A request made now and sent twice, then a chain",
            "let one = site[\"posts\"][1].prepare(.get, as: Post.self)\none.then { site[\"posts\"].prepare(.get, as: [Post].self, query: [\"after\": $0.id]) }"
        ) {
            let one = site["posts"][1].prepare(.get, as: Post.self)
            let (first, second) = (try await one.send(), try await one.send())
            let count = try await one.then { _ in site["posts"].prepare(.get, as: [Post].self) }.map(\.count).send()
            try promise(first.title == second.title && count > 0, "\(first) \(second) \(count)")
            return "twice \"\(first.title)\", and \(count) posts after it"
        }
        await guide.step(
            "Progress both ways",
            "echo.progressObservers = [{ print($0.direction, $0.completed, $0.total ?? 0) }]"
        ) {
            let body = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000)
            let handle = site["echo"].prepare(.post, .bytes(body)).start()
            var bars: [String] = []
            for await event in handle.progress {
                let filled = Int((event.fractionCompleted ?? 0) * 20)
                let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
                bars.append("\(event.direction) [\(bar)] \(event.completed) bytes")
            }
            let response = try await handle.value
            try promise(bars.last?.has("####################") == true && response.isSuccessful, "\(bars)")
            return bars.suffix(3).joined(separator: "\n")
        }
    }

    private func visitRunning(_ guide: inout TourGuide) async {
        await guide.step(
            "A limit on the whole site",
            "site.maxConcurrentRequests = 2"
        ) {
            let limited = site.with { $0.maxConcurrentRequests = 2 }
            let outcome = await RequestGroup().run {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<6 { group.addTask { try await limited["posts"].get(as: Void.self) } }
                    try await group.waitForAll()
                }
            }
            try promise(outcome.isSuccess && outcome.responses.count == 6, "\(outcome.results)")
            return "6 answers, two at a time, as one group: success \(outcome.isSuccess)"
        }
        await guide.step(
            "Cancelled from outside",
            "site[\"slow\"].cancelAll()"
        ) {
            let slow = site["slow"].with { $0.userInfo["why"] = "the tour" }
            let task = Task { try await slow.get() }
            var shown = ""
            while shown.isEmpty { for request in site["slow"].runningRequests { shown = "\(request)" } }
            let count = site["slow"].cancelAll()
            let result = await task.result
            guard case .failure(is CancellationError) = result, count == 1 else {
                throw TourGuide.Surprise(description: "it continued: \(result)")
            }
            return "\(shown): cancelled, and the caller got CancellationError"
        }
    }
}
