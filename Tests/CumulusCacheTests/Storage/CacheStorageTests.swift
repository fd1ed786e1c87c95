// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusCache

/// A storage of a stranger's: four functions, without any rule of HTTP.
@Suite(.timeLimit(.minutes(10))) struct CacheStorageTests {
    @Test func aTableIsEnough() async throws {
        let table = Table()
        func site() -> CachedSite {
            CachedSite(.storage(table, date: Stored.arrival)) { request in
                let headers: Headers = [
                    .cacheControl: "max-age=60, stale-while-revalidate=30", .eTag: "\"1\"", .vary: "Foo",
                ]
                if request.headers[.ifNoneMatch] != nil { return .response(.notModified, headers: headers) }
                return .response(headers: headers, body: Array("0123456789".utf8))
            }
        }
        let first = site()
        #expect(try await first.get().note == "fwd=uri-miss; stored")
        #expect(table.count == 1)
        let second = site()
        #expect(try await second.get() == ("0123456789", "hit; ttl=60"))
        #expect(try await second.get([.range: "bytes=3-5"]).text == "345")
        #expect(try await second.get(["Foo": "1"]).note == "fwd=vary-miss; stored")
        second.clock.advance(by: .seconds(65))
        #expect(try await second.get().note == "hit; ttl=-5; detail=refreshing")
        while try await second.get().note != "hit; ttl=60" { await Task.yield() }
        #expect(table.count == 2)
        _ = try await second.site["x"].delete()
        #expect(table.count == 0)
    }

    private final class Table: CacheStorage {
        private let kept = Mutex<[CachePlace: [KeptResponse]]>([:])

        var count: Int { kept.withLock { $0.values.reduce(0) { $0 + $1.count } } }

        func responses(for place: CachePlace) async -> [KeptResponse] { kept.withLock { $0[place] ?? [] } }

        func write(_ response: CachedResponse, for place: CachePlace, length: Int64?) async -> (any CacheWriter)? {
            Writer { [self] bytes in
                kept.withLock { kept in
                    kept[place, default: []].removeAll { $0.response.selecting == response.selecting }
                    kept[place, default: []].append(
                        KeptResponse(id: "\(response.selecting)", response: response, body: Body(bytes: bytes))
                    )
                }
            }
        }

        func update(_ old: KeptResponse, to response: CachedResponse?, for place: CachePlace) async {
            kept.withLock { kept in
                kept[place, default: []].removeAll { $0.id == old.id }
                if let response {
                    kept[place, default: []].append(KeptResponse(id: old.id, response: response, body: old.body))
                }
            }
        }

        func remove(_ url: String?) async {
            kept.withLock { kept in kept = kept.filter { url != nil && $0.key.url != url } }
        }
    }

    private struct Body: CachedBody {
        let bytes: [UInt8]
        var length: Int64 { Int64(bytes.count) }

        func read(_ range: Range<Int64>) -> ResponseBody {
            ResponseBody(complete: ByteChunk(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])))
        }
    }

    private final class Writer: CacheWriter {
        private let bytes = Mutex<[UInt8]>([])
        private let keep: @Sendable ([UInt8]) -> Void

        init(_ keep: @escaping @Sendable ([UInt8]) -> Void) { self.keep = keep }

        func write(_ chunk: ByteChunk) async -> Bool {
            bytes.withLock { $0 += chunk.bytes }
            return true
        }
        func finish() async { keep(bytes.withLock(\.self)) }
        func abandon() {}
    }
}
