// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusCore

/// A store, and bodies that have arrived as a whole with their heads.
@Suite(.timeLimit(.minutes(10))) struct WholeBodyStoreTests {
    private struct InstantTransport: Transport {
        let headers: HTTPFields
        let body: [UInt8]

        var capabilities: TransportCapabilities { TransportCapabilities() }

        func identity(at origin: Origin) -> TransportIdentity { .anonymous }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            TransportResponse(
                head: ResponseHead(status: .ok, headers: headers),
                body: ResponseBody(complete: ByteChunk(body))
            )
        }
    }

    private let store = SmallStore()

    private func site(_ body: [UInt8], coding: String? = nil, limit: Int = 100) -> Resource {
        var headers: HTTPFields = [.cacheControl: "max-age=60"]
        headers[.contentEncoding] = coding
        return Resource("https://a.example", transport: InstantTransport(headers: headers, body: body)) {
            $0.responseStore = store
            $0.maxBodySize = limit
        }
    }

    @Test func isStoredOnceAndDelivered() async throws {
        let site = site(Array("body".utf8))
        #expect(try await site.get().text == "body")
        #expect(try await site.get().text == "body")
        #expect(store.log == ["received 200", "kept"])
    }

    @Test func isStoredBeforeItsStreamIsRead() async throws {
        let stream = try await site(Array("body".utf8)).call(.get).stream()
        #expect(store.count == 1)
        var bytes: [UInt8] = []
        for try await chunk in stream { bytes += chunk.bytes }
        #expect(bytes == Array("body".utf8))
        #expect(store.log == ["received 200", "kept"])
    }

    @Test func beyondTheLimitIsNotStored() async throws {
        let site = site(Array("body".utf8), limit: 3)
        await #expect(throws: CumulusError.self) { try await site.get() }
        #expect(store.log == ["received 200", "abandoned"])
    }

    @Test func thatCannotBeDecodedIsNotStored() async throws {
        // gzip.compress(b"x", 9, mtime=0), without its end
        let gzip: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 171, 0, 0]
        let site = site(gzip, coding: "gzip")
        await #expect(throws: CumulusError.self) { try await site.get() }
        #expect(store.log == ["received 200", "abandoned"])
    }
}
