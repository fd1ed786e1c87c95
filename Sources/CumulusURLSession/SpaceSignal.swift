// SPDX-License-Identifier: Apache-2.0

/// Whether a stream has space for bytes, between its events and one writer.
///
/// An event may come before the writer waits for it. No I/O, no locks.
struct SpaceSignal {
    /// The response to a writer.
    enum Answer: Equatable {
        /// There is space: write once.
        case ready
        /// The stream takes no more bytes.
        case ended
        /// Suspend until ``SpaceSignal/space()`` or ``SpaceSignal/end()`` returns true.
        case suspend
    }

    private enum State {
        /// Left by `space`, `request`, `end`.
        case full
        /// An event that no write has used.
        case hasSpace
        case isAwaited
        case ended
    }

    private var state = State.full

    /// The stream has space; returns whether a suspended writer continues.
    mutating func space() -> Bool {
        switch state {
        case .full, .hasSpace:
            state = .hasSpace
            return false
        case .isAwaited:
            state = .full
            return true
        case .ended: return false
        }
    }

    /// The writer needs space for one write, after which the stream reports again.
    mutating func request() -> Answer {
        switch state {
        case .hasSpace:
            state = .full
            return .ready
        case .full:
            state = .isAwaited
            return .suspend
        case .isAwaited, .ended: return .ended
        }
    }

    /// The stream has ended, or the writer was cancelled; returns whether a suspended writer continues.
    mutating func end() -> Bool {
        defer { state = .ended }
        if case .isAwaited = state { return true }
        return false
    }
}
