// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Dispatch

/// The code of the guide's page on preparing, starting and stopping requests.
enum ControllingRequests {
    static func control(_ site: Resource) async throws {
        let posts = site["posts"]

        // snippet.prepare
        let reload = posts.call(.get, as: [Post].self)
        let now = try await reload.send()  // async code
        let running = reload.start(onProgress: { event in print(event.fractionCompleted ?? 0) }) { result in
            print(result)  // both on the main actor
        }
        running.cancel(.silent)  // the completion isn't called
        running.restart()  // with the current settings
        // snippet.end
        _ = now

        // snippet.chain
        let newest = reload.map { posts in
            try await site["posts/newest"].get(as: Post.self, query: ["of": posts.count])
        }
        let post = try await newest.send()
        // snippet.end
        _ = post

        // snippet.queue
        let mapping = reload.start(on: globalConcurrentExecutor) { result in print(result) }  // not on the main actor
        print(site.runningCall(mapping.id) ?? "over")  // by its number
        // snippet.end

        // snippet.cancel
        for call in posts.runningCalls { print(call) }  // #12 GET https://...
        posts.cancelAll()  // the running calls at and below posts
        // snippet.end

        // snippet.identity
        var search = site["search"].call(.get, query: ["q": "clouds"])
        search.key = .replacing("search")  // the last one typed wins
        var profile = site["me"].call(.get, as: JSON.self)
        profile.key = .joining("profile")  // one exchange for all callers
        // snippet.end
        _ = (search, profile)

    }

    static func control(many site: Resource) async throws {
        let posts = site["posts"]

        // snippet.limit
        site.setRules { $0.maxConcurrentRequests = 4 }  // on the whole site; the others wait in line
        // snippet.end

        // snippet.group
        let outcome = await RequestGroup().run {
            async let all = posts.get()
            async let me = site["me"].get()
            _ = try await (all, me)
        }
        if outcome.isSuccessful { print(outcome.responses.count) }
        // snippet.end

        // snippet.values
        let users = await RequestGroup().values(of: (1...3).map { site["users"][$0].call(.get, as: JSON.self) })
        print(users.values.count, users.errors.count)  // in order; a failure doesn't affect the others
        // snippet.end

        // snippet.scope
        let scope = RequestScope()  // owned by a screen or a job
        let draft = try await scope.run { try await site["drafts"].get(as: [Post].self) }
        scope.cancel()  // cancels the running ones, and later ones as they begin; so does releasing the scope
        // snippet.end
        _ = draft

        let upload = site["photos"].with { $0.observers = [.progress { print($0.completed, $0.total ?? 0) }] }
        try await upload.post(.bytes([UInt8](repeating: 0, count: 1 << 20))).requireSuccess()

        // snippet.close
        await site.shutdown(.graceful)  // accepts no more requests, and waits for the running ones
        // snippet.end
    }
}

// snippet.wait
/// For a script or your own thread; refused if it would wait for itself.
func titles(_ site: Resource) throws -> [String] {
    try site["posts"].call(.get, as: [Post].self).wait().map(\.title)
}
// snippet.end

// snippet.preflight
struct Signing: Sendable {
    func sign(_ request: inout RequestDraft) async throws { request.headers["X-Signature"] = "..." }
}

func installSigning(on site: Resource) { site.setRules { $0.preflights = [Signing().sign] } }
// snippet.end

// snippet.activity
func showActivity(_ show: (Bool) -> Void) async {
    for await count in RequestActivity.counts { show(count > 0) }
}
// snippet.end
