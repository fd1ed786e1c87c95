// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import TestSupport
import Testing

/// Bytes in someone else's storage.
@Suite struct ByteChunkTests {
    @Test("a chunk is a storage, and a chunk of a chunk has the first one's storage") func ofAChunk() async throws {
        let chunk = ByteChunk([1, 2, 3])
        let again = ByteChunk(chunk)
        #expect(again == chunk && again.unwrap(as: [UInt8].self) == [1, 2, 3])
        let transport = StubTransport { _ in .response() }
        let site = Resource("http://a.example", transport: transport.watched)
        try await site.post(.bytes(chunk)).requireSuccess()
        #expect(transport.lastRequest?.body == [1, 2, 3])
    }
}
