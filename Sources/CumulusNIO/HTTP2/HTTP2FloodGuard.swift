// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Distinguishes floods from the traffic of a busy connection (T-41): frames that don't advance an exchange are paid
/// for by those that do, and by time.
///
/// A state machine without I/O. Frames that answer content, such as windows and pings, grow with the content, so that a
/// long transfer is not taken for an attack. is not taken for an attack.
struct HTTP2FloodGuard {
    private let limits: HTTP2Limits
    /// How many more frames may be useless.
    private var credit: Int
    private var filledAt: Moment
    /// How many more bytes may arrive for ended streams.
    private var lateBytes: Int

    init(limits: HTTP2Limits = HTTP2Limits(), at now: Moment) {
        self.limits = limits
        credit = limits.controlFrames
        filledAt = now
        lateBytes = limits.lateBytes
    }

    /// A frame that advanced an exchange, or was sent for one.
    mutating func noteProgress() {
        credit = min(limits.controlFramesKept, credit + limits.controlFramesPerFrame)
    }

    /// A stream was ended while its content was arriving.
    mutating func noteCancelled(window: Int) {
        lateBytes = min(limits.lateBytes + limits.streams * limits.streamWindow, lateBytes + window)
    }

    /// A useless frame; false if it is one too many.
    mutating func allowsOverhead(at now: @autoclosure () -> Moment) -> Bool {
        if credit == 0 { refill(at: now()) }
        if credit == 0 { return false }
        credit -= 1
        return true
    }

    /// Content for an ended stream; false if it is too much.
    mutating func allowsLate(_ count: Int) -> Bool {
        // The frame itself also has a cost.
        lateBytes -= count + 64
        return lateBytes >= 0
    }

    private mutating func refill(at now: Moment) {
        let share = min(1, max(0, (now - filledAt) / limits.controlPeriod))
        credit = Int(Double(limits.controlFrames) * share)
        if credit > 0 { filledAt = now }
    }
}
