// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import HTTPTypes
import Synchronization

/// A network of the tour's own that speaks as Twitter did, and a little as Mastodon does.
final class TimelineService: Sendable {
    private struct Store {
        var texts = (1...45).map { "Cloud \($0)" }
        var windowEnd: ContinuousClock.Instant?
        var left = 2
    }

    private let store = Mutex(Store())
    private let identities: OAuth2Service

    init(identities: OAuth2Service) { self.identities = identities }

    func install(in routes: inout Routes) {
        routes.get("/social/statuses/friends_timeline.json") { [self] request in
            let count = request.queryValue("count").flatMap { Int($0) } ?? 20
            let page = request.queryValue("page").flatMap { Int($0) } ?? 1
            let all = store.withLock { Array($0.texts.enumerated().reversed()) }
            let some = all.dropFirst((page - 1) * count).prefix(count)
            return .json(JSON.array(some.map { status($0.offset + 1, $0.element) }))
        }
        routes.post("/social/statuses/update.json") { [self] request in
            guard request.headers[.authorization] != nil else {
                return .json(["error": "Could not authenticate you."] as JSON, status: .unauthorized)
            }
            let form = Query(parsing: request.text)
            let text = form.values(of: "status").first?.string ?? ""
            let source = form.values(of: "source").first?.string
            let number = store.withLock { store in
                store.texts.append(text)
                return store.texts.count
            }
            return .json(status(number, text, source: source))
        }
        routes.get("/social/users/show.json") { [self] _ in limitedUser() }
        routes.post("/api/v1/apps") { _ in .json(["client_id": "atlas", "client_secret": "s3cret"] as JSON) }
        routes.get("/api/v1/timelines/home") { [self] request in
            guard identities.accepts(request.headers[.authorization]) else {
                return .json(["error": "The access token is invalid"] as JSON, status: .unauthorized)
            }
            return .json([["id": "1", "content": "<p>Clouds</p>"]] as JSON)
        }
    }

    private func status(_ number: Int, _ text: String, source: String? = nil) -> JSON {
        ["id": JSON(number), "text": .string(text), "source": source.map { .string($0) } ?? .null]
    }

    /// Two requests a second, and who comes too early is told so.
    private func limitedUser() -> ServerResponse {
        let left: Int = store.withLock { store in
            let now = ContinuousClock.now
            if store.windowEnd.map({ now >= $0 }) ?? true {
                store.windowEnd = now + .seconds(1)
                store.left = 2
            }
            store.left -= 1
            return store.left
        }
        let headers: Headers = [
            "X-RateLimit-Limit": "2", "X-RateLimit-Remaining": "\(max(0, left))", "X-RateLimit-Reset-After": "1",
        ]
        if left < 0 {
            return .json(["error": "Rate limit exceeded."] as JSON, status: .tooManyRequests, headers: headers)
        }
        return .json(["id": 17, "screen_name": "ada"] as JSON, headers: headers)
    }
}
