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

func refreshes(site: Resource) async {
    // snippet.refreshes
    await site.waitUntilIdle()
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

/// Keeps responses in a dictionary.
final class DictionaryStorage: CacheStorage {
    // A place is the URL, the user, and the content of a QUERY: all three belong to the key.
    private let kept = Mutex<[CachePlace: [KeptResponse]]>([:])

    func responses(for place: CachePlace) async -> [KeptResponse] { kept.withLock { $0[place] ?? [] } }

    func write(_ response: CachedResponse, for place: CachePlace, length: Int64?) async -> (any CacheWriter)? {
        DictionaryWriter { [self] bytes in
            let new = KeptResponse(id: UUID().uuidString, response: response, body: MemoryBody(bytes: bytes))
            kept.withLock { $0[place, default: []].put(new) }
        }
    }

    func update(_ old: KeptResponse, to response: CachedResponse?, for place: CachePlace) async {
        kept.withLock { kept in
            // If another response has replaced it meanwhile, that one stays as it is.
            guard let index = kept[place]?.firstIndex(where: { $0.id == old.id }) else { return }
            kept[place]?.remove(at: index)
            if let response { kept[place]?.put(KeptResponse(id: old.id, response: response, body: old.body)) }
        }
    }

    func remove(_ url: String?) async {
        kept.withLock { kept in kept = kept.filter { url != nil && $0.key.url != url } }
    }
}

extension [KeptResponse] {
    /// Adds a response, in the place of an earlier one to the same header fields.
    fileprivate mutating func put(_ new: KeptResponse) {
        removeAll { $0.response.selecting == new.response.selecting }
        append(new)
    }
}

struct MemoryBody: CachedBody {
    let bytes: [UInt8]
    var length: Int64 { Int64(bytes.count) }

    func read(_ range: Range<Int64>) -> ResponseBody {
        ResponseBody(complete: ByteChunk([UInt8](bytes[Int(range.lowerBound)..<Int(range.upperBound)])))
    }
}

final class DictionaryWriter: CacheWriter {
    private let bytes = Mutex<[UInt8]>([])
    private let publish: @Sendable ([UInt8]) -> Void

    init(publish: @escaping @Sendable ([UInt8]) -> Void) { self.publish = publish }

    func write(_ chunk: ByteChunk) async -> Bool {
        bytes.withLock { $0 += chunk.bytes }
        return true
    }

    func finish() async { publish(bytes.withLock(\.self)) }
    func abandon() {}
}

func storage(site: Resource) {
    // snippet.storage-use
    site.setRules { $0.cache = .storage(DictionaryStorage()) }
    // snippet.end
}

func neutral(site: Resource) {
    // snippet.neutral
    site.setRules { $0.neutralHeaders = ["X-Build-Number"] }
    // snippet.end
}

func perUser(site: Resource, token: Secret<String>) -> Resource {
    // snippet.per-user
    let mine = site.with { $0.authorizers = [.bearer(token)] }  // this user's own responses
    // snippet.end
    return mine
}
