// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Sends bytes in memory by slices, so that a peer that takes them slowly is seen to take them.
final class BytesSender: BodySender {
    private static let sliceSize = 256 * 1_024

    private var bytes: ByteBuffer
    private weak var connection: HTTP1Connection?

    init(_ bytes: ByteBuffer, connection: HTTP1Connection) {
        self.bytes = bytes
        self.connection = connection
    }

    var isWaitingForSource: Bool { false }

    func pump() {
        guard let connection else { return }
        while connection.isWritable, let slice = bytes.readSlice(length: min(bytes.readableBytes, Self.sliceSize)) {
            if slice.readableBytes == 0 { return connection.sendingFinished(self) }
            connection.send(.byteBuffer(slice), flush: true)
        }
    }

    func stop() {
        connection = nil
        bytes = ByteBuffer()
    }
}
