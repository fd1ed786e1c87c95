// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Synchronization

/// The code of the guide's page on hooks.
enum HookingIn {
    static func install(on site: Resource) {
        // snippet.install
        site.setRules {
            $0.interceptors.append(Announcer().intercept)
            $0.interceptors.append { request, next in  // or a closure
                var request = request
                request.headers["X-Trace"] = "4711"
                return try await next(request)
            }
        }
        // snippet.end

        // snippet.validator
        site.setRules {
            $0.validators.append { response in
                guard response.header("X-Api-Version") == "2" else { throw WrongVersion() }
            }
        }
        // snippet.end

        // snippet.post-processor
        site.setRules {
            $0.postProcessors.append { value, response in
                guard let text = value as? String else { return value }  // leave other types alone
                return String(decoding: text.utf8.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            }
        }
        // snippet.end
    }

    static func replacing(_ site: Resource) {
        // snippet.response-processor
        site.setRules {
            $0.responseProcessors.append { response in
                let guardian = Array(")]}',\n".utf8)  // a prefix that some services put before their JSON
                guard response.bytes.bytes.starts(with: guardian) else { return response }
                return response.replacingBody(with: Array(response.bytes.bytes.dropFirst(guardian.count)))
            }
        }
        // snippet.end
    }

    static func converting(_ site: Resource) async throws {
        let picture = site["pictures/abc123"].call(.get, as: [UInt8].self).map { Picture($0) }
        let size = picture.map { "\($0.size) bytes" }  // a chain
        print(try await picture.send(), try await size.send())
    }
}

// snippet.preflight
struct NotLoggedIn: Error {}

func guardAdmin(of site: Resource, isLoggedIn: @escaping @Sendable () async -> Bool) {
    site["admin"].setRules {
        $0.preflights.append { draft in
            guard await isLoggedIn() else { throw NotLoggedIn() }  // nothing is sent
            draft.headers["X-Checked"] = "yes"
        }
    }
}
// snippet.end

// snippet.interceptor
struct Announcer: Sendable {
    func intercept(
        _ request: EncodedRequest,
        next: InterceptorChain
    ) async throws -> TransportResponse {
        let response = try await next(request)  // call it again to repeat the attempt
        print("\(request): \(response.head.status.code)")  // a printed request shows no secret
        return response
    }
}
// snippet.end

// snippet.interceptor-header
struct Numbering: Sendable {
    let run: String

    func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
        var request = request
        request.headers["X-Run"] = run
        return try await next(request)
    }
}
// snippet.end

final class LastResponses: ResponseStore {
    private struct Key: Hashable {
        let url: String
        let partition: StorePartition
    }

    private let kept = Mutex<[Key: (head: ResponseHead, bytes: [UInt8])]>([:])

    func find(_ request: EncodedRequest, _ context: StoreContext) -> StoreStart? {
        guard request.method == .get, request.headers[.range] == nil, context.partition.isShareable else {
            return .pass
        }
        let key = Key(url: "\(request.origin)\(request.target)", partition: context.partition)
        return .ask(request, Visit(store: self, key: key))
    }

    private struct Visit: StoreVisit {
        let store: LastResponses
        let key: Key

        func received(_ response: TransportResponse, in exchange: StoreExchange) async -> StoreResponse {
            guard response.head.status == .ok else { return StoreResponse(response) }
            return StoreResponse(response, tap: Tap(store: store, key: key, head: response.head))
        }

        func failed() {}

        func fallback(after failure: StoreFailure) async -> TransportResponse? {
            store.kept.withLock { $0[key] }.map {
                TransportResponse(head: $0.head.noting("hit; stale"), body: ResponseBody(complete: ByteChunk($0.bytes)))
            }
        }
    }

    private final class Tap: BodyTap {
        private let store: LastResponses
        private let key: Key
        private let head: ResponseHead
        private let bytes = Mutex<[UInt8]>([])

        init(store: LastResponses, key: Key, head: ResponseHead) {
            (self.store, self.key, self.head) = (store, key, head)
        }

        func receive(_ chunk: ByteChunk) async { bytes.withLock { $0 += chunk.bytes } }

        func finish(_ end: ExchangeEnd) async {
            let whole = bytes.withLock(\.self)
            store.kept.withLock { $0[key] = (head, whole) }
        }

        func abandon() {}
    }
}

struct WrongVersion: Error {}

struct Picture: Sendable {
    var size: Int

    init(_ bytes: [UInt8]) { size = bytes.count }
}

// snippet.database
actor Store {
    private var titles: [String] = []

    func save(_ title: String) -> Int {
        titles.append(title)
        return titles.count - 1
    }
}

func saving(_ posts: Resource, in store: Store) async throws -> Int {
    // Only the saved object's identifier leaves the actor, never the object.
    let saved = posts[1].call(.get, as: JSON.self).map { post in await store.save(post["title"].string ?? "") }
    return try await saved.send()
}
// snippet.end
