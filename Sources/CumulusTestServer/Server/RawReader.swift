// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Reads bytes from a connection that has no HTTP decoder.
// Unchecked: used by its connection's task only. It is a class because the script's runner keeps it.
final class RawReader: RawSource, @unchecked Sendable {
    private var buffers: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let ledger: ServerLedger
    private let connection: Int
    /// The bytes that were read but don't belong to a head yet.
    private var pending: [UInt8] = []

    init(_ buffers: NIOAsyncChannelInboundStream<ByteBuffer>, connection: Int, ledger: ServerLedger) {
        self.buffers = buffers.makeAsyncIterator()
        self.connection = connection
        self.ledger = ledger
    }

    func awaitHead() async throws {
        var searched = 0
        while true {
            if let end = Self.headEnd(in: pending, from: searched) {
                ledger.began()
                return pending.removeFirst(end)
            }
            searched = max(0, pending.count - 3)
            try await readMore()
        }
    }

    func awaitBytes(_ count: Int) async throws {
        while pending.count < count { try await readMore() }
    }

    private func readMore() async throws {
        guard let buffer = try await buffers.next() else { throw TruncatedRequest() }
        pending += buffer.readableBytesView
        ledger.rawInput(Array(buffer.readableBytesView), connection: connection)
    }

    /// The index after the first empty line.
    private static func headEnd(in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= 4 else { return nil }
        for index in start..<(bytes.count - 3) where bytes[index..<(index + 4)].elementsEqual([13, 10, 13, 10]) {
            return index + 4
        }
        return nil
    }
}
