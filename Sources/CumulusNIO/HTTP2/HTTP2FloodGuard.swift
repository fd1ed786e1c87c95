// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Distinguishes floods from the traffic of a busy connection: frames that don't advance an exchange are paid
/// for by those that do, by bytes sent, by streams opened, and by time.
///
/// A state machine without I/O. Each kind has its own account, so that a correct peer can't use up another's: it
/// returns no more credit than it got bytes, and resets a stream once.
struct HTTP2FloodGuard {
    private let limits: HTTP2Limits
    /// How many more frames may be useless.
    private var overhead: Allowance
    /// How many more streams may be broken off by the peer.
    private var failures: Allowance
    /// How many more bytes may arrive for ended streams.
    private var lateBytes: Int
    /// How many more frames may raise the connection's window, and those of streams.
    private var connectionUpdates = 0
    private var streamUpdates = 0
    /// How many more streams may be reset.
    private var resets = 0
    /// How many more field sections may arrive for ended streams.
    private var lateSections = 0

    init(limits: HTTP2Limits = HTTP2Limits(), at now: Moment) {
        self.limits = limits
        overhead = Allowance(limits.controlFrames, at: now)
        failures = Allowance(limits.resets, at: now)
        lateBytes = limits.lateBytes
    }

    /// A frame that advanced an exchange, or was sent for one.
    mutating func noteProgress() {
        overhead.left = min(limits.controlFramesKept, overhead.left + limits.controlFramesPerFrame)
    }

    /// Content was sent: each byte may be given back on its own, to its stream and to the connection.
    mutating func noteSent(_ count: Int) {
        connectionUpdates += count
        streamUpdates += count
        noteProgress()
    }

    /// A stream was opened, which the peer may reset.
    mutating func noteOpened() { resets += 1 }

    /// A stream was ended while its response was arriving.
    mutating func noteCancelled(window: Int) {
        lateBytes = min(limits.lateBytes + limits.streams * limits.streamWindow, lateBytes + window)
        // A head, trailers, and informational responses.
        lateSections = min(limits.controlFramesKept, lateSections + 4)
    }

    /// A useless frame; false if it is one too many.
    mutating func allowsOverhead(at now: @autoclosure () -> Moment) -> Bool {
        overhead.take(at: now(), per: limits.controlPeriod)
    }

    /// A window was raised; false if it is once too often.
    mutating func allowsUpdate(ofStream: Bool, at now: @autoclosure () -> Moment) -> Bool {
        if ofStream, streamUpdates > 0 {
            streamUpdates -= 1
            return true
        }
        if !ofStream, connectionUpdates > 0 {
            connectionUpdates -= 1
            return true
        }
        return allowsOverhead(at: now())
    }

    /// A stream was reset; false if it is once too often.
    mutating func allowsReset(at now: @autoclosure () -> Moment) -> Bool {
        if resets == 0 { return allowsOverhead(at: now()) }
        resets -= 1
        return true
    }

    /// The peer broke off an exchange that it had accepted; false if it did too often for more to be sent to it.
    mutating func allowsFailure(at now: @autoclosure () -> Moment) -> Bool {
        failures.take(at: now(), per: limits.controlPeriod)
    }

    /// Content for an ended stream; false if it is too much.
    mutating func allowsLate(_ count: Int) -> Bool {
        // The frame itself also has a cost.
        lateBytes -= count + 64
        return lateBytes >= 0
    }

    /// A field section for an ended stream; false if it is one too many.
    mutating func allowsLateSection(at now: @autoclosure () -> Moment) -> Bool {
        if lateSections == 0 { return allowsOverhead(at: now()) }
        lateSections -= 1
        return true
    }

    /// A number that is available again with time, once it is used up.
    private struct Allowance {
        private let number: Int
        private var filledAt: Moment
        var left: Int

        init(_ number: Int, at now: Moment) {
            self.number = number
            left = number
            filledAt = now
        }

        /// Takes one; false if none is left.
        mutating func take(at now: @autoclosure () -> Moment, per period: Duration) -> Bool {
            if left == 0 { refill(at: now(), per: period) }
            if left == 0 { return false }
            left -= 1
            return true
        }

        private mutating func refill(at now: Moment, per period: Duration) {
            let share = min(1, max(0, (now - filledAt) / period))
            left = Int(Double(number) * share)
            if left > 0 { filledAt = now }
        }
    }
}

/// What a peer sends too much of.
enum HTTP2Flood: Hashable, Sendable {
    case emptyContent, lateContent, lateSections, priorities, resets, settings, pings, ends, windowUpdates
    case unknownFrames
}

extension HTTP2Flood: CustomStringConvertible {
    /// A sentence fragment for the error message that the caller sees.
    var description: String {
        switch self {
        case .emptyContent: "too many DATA frames without content arrived"
        case .lateContent: "too much content arrived for exchanges that had ended"
        case .lateSections: "too many header sections arrived for exchanges that had ended"
        case .priorities: "too many PRIORITY frames arrived"
        case .resets: "too many RST_STREAM frames arrived"
        case .settings: "too many SETTINGS frames arrived"
        case .pings: "too many PING frames arrived"
        case .ends: "too many GOAWAY frames arrived"
        case .windowUpdates: "too many WINDOW_UPDATE frames arrived for the data sent"
        case .unknownFrames: "too many frames of unknown types arrived"
        }
    }
}
