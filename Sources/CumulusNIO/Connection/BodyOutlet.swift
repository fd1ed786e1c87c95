// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

/// Where the sender of a request's body puts it: a connection that the exchange has to itself, or a stream.
protocol BodyOutlet: AnyObject {
    /// Whether the peer keeps up.
    var isWritable: Bool { get }
    /// Whether ranges of files can be sent as they are, without reading them first.
    var takesFileRegions: Bool { get }

    /// Writes, and counts what was written; keeps an object until that is on its way.
    func send(_ data: IOData, flush: Bool, keeping owner: AnyObject?)
    /// Notes that the peer took something.
    func noteProgress()
    /// The body is on its way as a whole.
    func sendingFinished(_ finished: any BodySender)
    /// The body could not be produced.
    func sendingFailed(_ failed: any BodySender, _ failure: TransportFailure)
}

extension BodyOutlet {
    /// Writes, and counts what was written.
    func send(_ data: IOData, flush: Bool) { send(data, flush: flush, keeping: nil) }
}
