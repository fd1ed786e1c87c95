// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusNIO

/// What a correct peer may send, however busy it is, and what is a flood.
@Suite(.serialized) struct HTTP2FloodGuardTests {
    private let start = Moment.now
    private let limits = HTTP2Limits()

    /// How often something is allowed, at most so often.
    private func times(_ most: Int, _ isAllowed: () -> Bool) -> Int {
        var count = 0
        while count < most, isAllowed() { count += 1 }
        return count
    }

    @Test func eachByteMayBeGivenBackOnItsOwn() {
        var flood = HTTP2FloodGuard(at: start)
        let sent = 100_000
        flood.noteSent(sent)
        let ofStream = times(sent) { flood.allowsUpdate(ofStream: true, at: start) }
        let ofConnection = times(sent) { flood.allowsUpdate(ofStream: false, at: start) }
        #expect(ofStream == sent && ofConnection == sent)
        // What comes in addition is overhead, of which there is little.
        let more = times(100_000) { flood.allowsUpdate(ofStream: false, at: start) }
        #expect(more == limits.controlFrames + limits.controlFramesPerFrame)
    }

    @Test func eachStreamMayBeResetOnce() {
        var flood = HTTP2FloodGuard(at: start)
        let resets = times(10_000) {
            flood.noteOpened()
            return flood.allowsReset(at: start)
        }
        #expect(resets == 10_000)
        let more = times(10_000) { flood.allowsReset(at: start) }
        #expect(more == limits.controlFrames)
    }

    @Test func pingsArePaidByFramesThatHelp() {
        var flood = HTTP2FloodGuard(at: start)
        let pings = times(10_000) {
            flood.noteProgress()
            return flood.allowsOverhead(at: start)
        }
        #expect(pings == 10_000)
        let saved = times(1_000_000) { flood.allowsOverhead(at: start) }
        #expect(saved <= limits.controlFramesKept)
        // Time helps as well, in proportion.
        let later = times(1_000_000) { flood.allowsOverhead(at: start + limits.controlPeriod / 2) }
        #expect(later == limits.controlFrames / 2)
    }

    @Test func brokenExchangesAreCountedByTime() {
        var flood = HTTP2FloodGuard(at: start)
        let first = times(10_000) { flood.allowsFailure(at: start) }
        let second = times(10_000) { flood.allowsFailure(at: start + limits.controlPeriod) }
        #expect(first == limits.resets && second == limits.resets)
    }

    @Test func answersToCancelledStreamsMayStillArrive() {
        var flood = HTTP2FloodGuard(at: start)
        let cancelled = times(10_000) {
            flood.noteCancelled(window: limits.streamWindow)
            // As much as the window had let through, in full frames.
            return flood.allowsLateSection(at: start) && times(62) { flood.allowsLate(16_384) } == 62
        }
        #expect(cancelled == 10_000)
    }

    @Test func eachFloodHasItsOwnWords() {
        let kinds: [HTTP2Flood] = [
            .emptyContent, .lateContent, .lateSections, .priorities, .resets, .settings, .pings, .ends, .windowUpdates,
            .unknownFrames,
        ]
        #expect(Set(kinds.map { "\(HTTP2ProtocolError.flood($0))" }).count == kinds.count)
        for type in UInt8(0)...20 {
            let words = "\(HTTP2FrameHeads.Head(length: 1, type: type, streamID: 1).flood)"
            #expect(words.contains("too m"), "\(words)")
        }
    }
}
