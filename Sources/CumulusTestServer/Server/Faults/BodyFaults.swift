// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Synchronization

/// The faults of one response's body, applied while it is written.
final class BodyFaults: Sendable {
    private let sent = Mutex(0)
    private let end: (position: Int, abort: ServerResponse.Abort)?
    private let drip: (bytes: Int, pause: Duration)?
    private let stalls: Bool

    /// `nil` if none of the faults concerns the body.
    init?(_ faults: [ServerFault]) {
        var (end, drip, stalls) = (nil as (Int, ServerResponse.Abort)?, nil as (Int, Duration)?, false)
        for fault in faults {
            switch fault {
            case .cut(let position): end = (max(0, position), .close)
            case .reset(let position): end = (max(0, position), .reset)
            case .drip(let bytes, let pause): drip = (max(1, bytes), pause)
            case .stallAfterHead: stalls = true
            default: break
            }
        }
        if end == nil, drip == nil, !stalls { return nil }
        self.end = end
        self.drip = drip
        self.stalls = stalls
    }

    /// Sends bytes of the body as far as the faults allow.
    func write(_ bytes: [UInt8], _ send: ([UInt8]) async throws -> Void) async throws {
        var remaining = bytes[...]
        while !remaining.isEmpty {
            var piece = remaining.prefix(drip?.bytes ?? .max)
            let position = sent.withLock(\.self)
            if let end { piece = piece.prefix(end.position - position) }
            if !piece.isEmpty { try await send(Array(piece)) }
            sent.withLock { $0 += piece.count }
            remaining = remaining.dropFirst(piece.count)
            if let end, position + piece.count >= end.position { throw end.abort }
            // In real time, like a slow server.
            if let drip, drip.pause > .zero { try await Task.sleep(for: drip.pause) }
        }
    }

    /// Called between the head and the body.
    func begin() async throws {
        if stalls { try await Gate().wait() }
        if let end, end.position == 0 { throw end.abort }
    }

    /// Called after the body, and before the bytes that end it.
    func finish() throws {
        if let end { throw end.abort }
    }
}
