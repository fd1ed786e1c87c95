// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import NIOCore

/// Sends the part of a request body that wasn't sent with the head; on the event loop, for one try of an exchange.
protocol BodySender: AnyObject {
    /// Whether it waits for its source instead of the peer.
    var isWaitingForSource: Bool { get }

    /// Whether all bytes of the body have been sent, although its source has not ended yet.
    var isWhole: Bool { get }

    /// Continues while the peer keeps up; called once to begin, and whenever the peer has caught up.
    func pump()

    /// Checks whether the source still has the promised bytes; called while written bytes are not accepted.
    func checkSource()

    /// Releases everything; nothing more is sent. A source that has produced the whole body may run to its end.
    ///
    /// - Parameter isBodySent: Whether the whole body was sent before.
    func stop(isBodySent: Bool)
}

extension BodySender {
    func checkSource() {}
}

/// The destination of a request body's sender: a connection that the exchange has to itself, or a stream.
protocol BodyOutlet: AnyObject {
    /// Whether the peer keeps up.
    var isWritable: Bool { get }
    /// Whether ranges of files can be sent directly, without reading them first.
    var takesFileRegions: Bool { get }

    /// Writes and counts data; keeps an object alive until the data has been written.
    func send(_ data: IOData, flush: Bool, keeping owner: AnyObject?)
    /// Records that the peer has accepted some bytes.
    func noteProgress()
    /// Sends trailers after the written bytes, unless the sender's framing contains them.
    func sendTrailers(_ trailers: HTTPFields)
    /// The whole body has been written.
    func sendingFinished(_ finished: any BodySender)
    /// The body could not be produced.
    func sendingFailed(_ failed: any BodySender, _ failure: TransportFailure)
}

extension BodyOutlet {
    /// Writes and counts data.
    func send(_ data: IOData, flush: Bool) { send(data, flush: flush, keeping: nil) }

    // In HTTP/1.1 the framing has written them after the last chunk.
    func sendTrailers(_ trailers: HTTPFields) {}
}

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

    func stop(isBodySent: Bool) {
        outlet = nil
        bytes = ByteBuffer()
    }
}
