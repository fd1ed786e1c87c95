// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting

/// Chapter 3: what goes wrong, and how it is told.
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
            "What doesn't fit your type is told with its path",
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
        await guide.step("A server that is not there", "try await Resource(\"http://127.0.0.1:1\").get()") {
            let error = try await failure { try await Resource("http://127.0.0.1:1").get() }
            try promise(error.code == .connect, "\(error)")
            return "\(error)"
        }
    }
}
