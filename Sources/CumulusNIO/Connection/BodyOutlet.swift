// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

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
    /// The whole body has been written.
    func sendingFinished(_ finished: any BodySender)
    /// The body could not be produced.
    func sendingFailed(_ failed: any BodySender, _ failure: TransportFailure)
}

extension BodyOutlet {
    /// Writes and counts data.
    func send(_ data: IOData, flush: Bool) { send(data, flush: flush, keeping: nil) }
}
