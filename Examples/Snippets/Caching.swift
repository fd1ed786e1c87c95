// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCache
import Foundation
import Synchronization

func setUp(site: Resource) {
    // snippet.memory
    site.setRules { $0.cache = .memory(megabytes: 50) }
    // snippet.end
}

func shared() {
    // snippet.shared
    let cache = ResponseCache.memory(megabytes: 50)
    let news = Resource("https://news.example.com") { $0.cache = cache }
    let media = Resource("https://media.example.com") { $0.cache = cache }
    let live = media["live"].with { $0.cache = nil }
    // snippet.end
    _ = (news, live)
}

func disk(site: Resource) {
    // snippet.disk
    let folder = "\(NSHomeDirectory())/.cache/my-program"
    site.setRules { $0.cache = .disk(folder, megabytes: 200) }
    // snippet.end
}

func policies(site: Resource) async throws {
    // snippet.policies
    let reloaded = try await site["posts"].with { $0.cachePolicy = .reload }.get()
    let recent = site["posts"].with { $0.cachePolicy = .maxAge(.seconds(60)) }
    let asItWas = site["posts"].with { $0.cachePolicy = .offline }
    // snippet.end
    _ = (reloaded, recent, asItWas)
}

func status(site: Resource) async throws {
    // snippet.status
    let response = try await site["posts"].get()
    if let status = response.cacheStatus, status.isHit { print("not sent:", status) }  // Cumulus; hit; ttl=30
    // snippet.end
}

// snippet.counts
final class CacheCounts: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func observe(_ event: CallEvent) {
        guard let status = event.cacheStatus else { return }
        let name = status.isStale ? "stale" : status.isHit ? "hit" : status.isRevalidated ? "revalidated" : "miss"
        counts.withLock { $0[name, default: 0] += 1 }
    }
}
// snippet.end

func count(site: Resource) {
    // snippet.counts-use
    let counts = CacheCounts()
    site.setRules { $0.observers.append(counts.observe) }
    // snippet.end
}

func lifetime(site: Resource) {
    // snippet.lifetime
    site["archive"].setRules { $0.cache?.defaultLifetime = .seconds(3_600) }
    // snippet.end
}

func clear(cache: ResponseCache) async throws {
    // snippet.clear
    try await cache.remove("https://news.example.com/posts?page=1")
    await cache.removeAll()
    // snippet.end
}

func fleet(site: Resource) throws {
    // snippet.fleet
    let shared = try Proxy("http://cache.example.internal:3128")  // Squid, for example
    site.setRules {
        $0.proxy = .by(shared)
        $0.cache = .memory(megabytes: 50)
    }
    // snippet.end
}
