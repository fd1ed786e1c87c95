// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Sends bytes in memory in slices, so that progress is visible even if the peer is slow.
final class BytesSender: BodySender {
    private static let sliceSize = 256 * 1_024

    private var bytes: ByteBuffer
    private weak var outlet: (any BodyOutlet)?

    init(_ bytes: ByteBuffer, outlet: any BodyOutlet) {
        self.bytes = bytes
        self.outlet = outlet
    }

    var isWaitingForSource: Bool { false }
    var isWhole: Bool { bytes.readableBytes == 0 }

    func pump() {
        guard let outlet else { return }
        while outlet.isWritable, let slice = bytes.readSlice(length: min(bytes.readableBytes, Self.sliceSize)) {
            if slice.readableBytes == 0 { return outlet.sendingFinished(self) }
            outlet.send(.byteBuffer(slice), flush: true)
        }
    }

    func stop() {
        outlet = nil
        bytes = ByteBuffer()
    }
}
