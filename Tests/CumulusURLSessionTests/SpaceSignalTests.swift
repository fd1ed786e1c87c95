// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusURLSession

/// A writer and the events of a stream.
@Suite struct SpaceSignalTests {
    @Test func anEventBeforeTheWriterIsNotLost() {
        var signal = SpaceSignal()
        #expect(signal.space() == false)
        #expect(signal.request() == .ready)
        // Each event is for one write.
        #expect(signal.request() == .suspend)
        #expect(signal.space() == true)
        #expect(signal.request() == .suspend)
    }

    @Test func theEndContinuesASuspendedWriter() {
        var signal = SpaceSignal()
        #expect(signal.request() == .suspend)
        #expect(signal.end() == true)
        #expect(signal.end() == false)
        #expect(signal.space() == false)
        #expect(signal.request() == .ended)
    }

    @Test("In 10,000 random sequences a suspended writer is continued by the next event, and by nothing else")
    func randomSequences() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            var signal = SpaceSignal()
            var (isSuspended, hasSpace, hasEnded, isRight) = (false, false, false, true)
            for _ in 0..<30 where isRight {
                switch Int.random(in: 0..<20, using: &random) {
                case 0..<9:
                    isRight = signal.space() == (isSuspended && !hasEnded)
                    hasSpace = !isSuspended && !hasEnded
                    isSuspended = false
                case 9..<19 where !isSuspended:
                    let expected = hasEnded ? SpaceSignal.Answer.ended : hasSpace ? .ready : .suspend
                    isRight = signal.request() == expected
                    isSuspended = expected == .suspend
                    hasSpace = false
                case 19:
                    isRight = signal.end() == isSuspended
                    (isSuspended, hasEnded) = (false, true)
                default: break
                }
            }
            #expect(isRight)
            if !isRight { return }
        }
    }
}
