// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting

/// Chapter 13: a whole resource at once, many requests at once, and calls without a tree.
struct Wholes {
    let site: Resource
    let url: String

    /// What a function makes of a body.
    private struct Headline: Sendable { var words: Int }

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Wholes")
        await visitPlaces(&guide)
        await visitValues(&guide)
        await visitCalls(&guide)
    }

    private func visitPlaces(_ guide: inout TourGuide) async {
        await guide.step(
            "A relative path, and a format",
            "site[\"posts/1\"].relative(to: \"../2\")\nsite.child(format: \"posts/%d\", 2)"
        ) {
            let next = site["posts/1"].relative(to: "../2")
            let formatted = site.child(format: "posts/%d", 2)
            try promise(next.url == formatted.url, "\(next) \(formatted)")
            let above = try await failure { try await site["posts"].relative(to: "../..").get() }
            return "\(next)\n\(above.message)"
        }
    }

    private func visitValues(_ guide: inout TourGuide) async {
        await guide.step(
            "A function converts values, for a resource and all below it",
            "site[\"posts\"].converting(JSON.self) { post, _ in Headline(...) }"
        ) {
            let headlines = site["posts"].converting(JSON.self) { post, _ in
                Headline(words: (post["title"].string ?? "").parts(at: " ", omitsEmpty: true).count)
            }
            let counts = headlines.converting { headline, response in "\(headline.words) words, \(response.status.code)"
            }
            let text = try await counts[1].get()
            try promise(text == "5 words, 200", text)
            return text
        }
        await guide.step(
            "Several values at once",
            "await RequestGroup().values(of: [1, 2, 99].map { posts[$0].prepare(.get, as: Post.self) })"
        ) {
            let posts = site["posts"]
            let outcome = await RequestGroup().values(of: [1, 2, 99].map { posts[$0].prepare(.get, as: JSON.self) })
            try promise(outcome.values.count == 2 && outcome.errors.count == 1, "\(outcome.results)")
            return "\(outcome.values.count) posts, and \(outcome.errors[0])"
        }
    }

    private func visitCalls(_ guide: inout TourGuide) async {
        await guide.step(
            "Calls without a tree have settings, too",
            "REST.origin(url).client = ClientIdentity(name: \"Tour\", version: \"1\")\ntry await REST.get(...)"
        ) {
            let origin = REST.origin(url)
            origin.client = ClientIdentity(name: "Tour", version: "1")
            let response = try await REST.get("\(url)/posts")
            let agent = response.request.headers[.userAgent] ?? ""
            try promise(agent == "Tour/1 Cumulus/0.1", agent)
            return agent
        }
        await guide.step("The kinds of errors", "switch error.kind { case .server: ... }") {
            let error = try await failure { try await REST.get("\(url)/posts/99", as: JSON.self) }
            try promise(error.kind == .server && error.localizedDescription == "\(error)", "\(error)")
            return "\(error.kind): \(error.localizedDescription)"
        }
    }
}
