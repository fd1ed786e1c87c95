// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Tells floods from what a busy connection needs (T-41): frames that bring an exchange no further are paid for by
/// those that do, and by time.
///
/// A state machine without I/O. Answers to content, as windows and pings, grow with the content, so that a long transfer
/// is not taken for an attack.
struct HTTP2FloodGuard {
    private let limits: HTTP2Limits
    /// Frames that may still come to nothing.
    private var credit: Int
    private var filledAt: Moment
    /// Bytes that may still come for streams that are over.
    private var lateBytes: Int

    init(limits: HTTP2Limits = HTTP2Limits(), at now: Moment) {
        self.limits = limits
        credit = limits.controlFrames
        filledAt = now
        lateBytes = limits.lateBytes
    }

    /// A frame that brought an exchange further, or was sent for one.
    mutating func noteProgress() {
        credit = min(limits.controlFramesKept, credit + limits.controlFramesPerFrame)
    }

    /// A stream was ended while its content was on the way.
    mutating func noteCancelled(window: Int) {
        lateBytes = min(limits.lateBytes + limits.streams * limits.streamWindow, lateBytes + window)
    }

    /// A frame that came to nothing; false if it is one too many.
    mutating func allowsOverhead(at now: @autoclosure () -> Moment) -> Bool {
        if credit == 0 { refill(at: now()) }
        if credit == 0 { return false }
        credit -= 1
        return true
    }

    /// Content for a stream that is over; false if it is too much.
    mutating func allowsLate(_ count: Int) -> Bool {
        // The frame itself costs, too.
        lateBytes -= count + 64
        return lateBytes >= 0
    }

    private mutating func refill(at now: Moment) {
        let share = min(1, max(0, (now - filledAt) / limits.controlPeriod))
        credit = Int(Double(limits.controlFrames) * share)
        if credit > 0 { filledAt = now }
    }
}
