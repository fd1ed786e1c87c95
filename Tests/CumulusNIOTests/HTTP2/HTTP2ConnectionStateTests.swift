// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusNIO

@Suite(.serialized) struct HTTP2ConnectionStateTests {
    @Test func numbersStreamsOddAndUpwards() {
        var state = HTTP2ConnectionState()
        #expect(state.open() == 1 && state.open() == 3 && state.open() == 5)
        #expect(state.openStreams == 3 && state.streamsOpened == 3)
    }

    @Test func opensAsManyAsThePeerAndTheLimitsAllow() {
        var limits = HTTP2Limits()
        limits.streams = 3
        limits.streamsBeforeSettings = 2
        var state = HTTP2ConnectionState(limits: limits)
        _ = state.open()
        #expect(state.canOpen)
        _ = state.open()
        #expect(!state.canOpen && state.open() == nil)
        #expect(state.receiveSettings(maximumStreams: 10, initialWindow: nil) == 0)
        #expect(state.open() != nil && state.open() == nil)
        state.close()
        #expect(state.canOpen)
        _ = state.receiveSettings(maximumStreams: 0, initialWindow: nil)
        #expect(!state.canOpen)
    }

    @Test(arguments: [nil, 5]) func settingsThatNameNoLimitAllowManyStreams(limit: Int?) {
        var state = HTTP2ConnectionState()
        while state.open() != nil {}
        #expect(state.openStreams == 8)
        _ = state.receiveSettings(maximumStreams: limit, initialWindow: nil)
        while state.open() != nil {}
        #expect(state.openStreams == (limit == nil ? 100 : 8))
        _ = state.receiveSettings(maximumStreams: 20, initialWindow: nil)
        while state.open() != nil {}
        // Later ones leave it as it is.
        _ = state.receiveSettings(maximumStreams: nil, initialWindow: nil)
        #expect(state.openStreams == (limit == nil ? 100 : 20) && !state.canOpen)
    }

    @Test func resetStreamsKeepTheirPlacesUntilThePeerKnows() {
        var state = HTTP2ConnectionState()
        _ = state.receiveSettings(maximumStreams: 3, initialWindow: nil)
        while state.open() != nil {}
        state.close()
        state.noteReset()
        #expect(!state.canOpen && state.waitsForResets)
        state.askAboutResets()
        #expect(!state.canOpen && !state.waitsForResets)
        state.close()
        state.noteReset()
        state.confirmResets()
        // The later one needs its own question.
        #expect(state.canOpen && state.open() != nil && !state.canOpen && state.waitsForResets)
        state.askAboutResets()
        state.confirmResets()
        #expect(state.canOpen && !state.waitsForResets)
    }

    @Test func aGoAwayMayOnlyLowerItsStream() {
        var state = HTTP2ConnectionState()
        for _ in 0..<3 { _ = state.open() }
        #expect(!state.isUnprocessed(5))
        state.receiveGoAway(lastStreamID: Int(Int32.max))
        #expect(state.isDraining && !state.canOpen && !state.isUnprocessed(5))
        state.receiveGoAway(lastStreamID: 3)
        #expect(state.isUnprocessed(5) && !state.isUnprocessed(3))
        state.receiveGoAway(lastStreamID: 5)
        #expect(state.isUnprocessed(5))
    }

    @Test func aChangedSettingChangesTheWindowsOfOpenStreams() {
        var state = HTTP2ConnectionState()
        #expect(state.receiveSettings(maximumStreams: nil, initialWindow: 100) == 100 - 65_535)
        #expect(state.initialSendWindow == 100)
        #expect(state.receiveSettings(maximumStreams: nil, initialWindow: 300) == 200)
        // The connection's own window doesn't change (RFC 9113 section 6.9.2).
        #expect(state.window == HTTP2SendWindow(65_535))
    }

    @Test func whatWasNotWrittenIsFreeAgain() throws {
        var state = HTTP2ConnectionState()
        _ = state.open()
        state.window.queue(1_000)
        state.window.write(600)
        state.close(unwritten: 400)
        #expect(state.window.free == 65_535 - 600)
        try state.window.grow(by: 600)
        #expect(state.window.free == 65_535)
    }

    @Test func givesBackHalfAWindowAtATime() {
        let state = HTTP2ConnectionState()
        let window = HTTP2Limits().connectionWindow
        #expect(state.credit(forWindow: window / 2 + 1) == nil)
        #expect(state.credit(forWindow: window / 2) == window - window / 2)
    }

    @Test func streamNumbersRunOut() {
        var limits = HTTP2Limits()
        limits.streams = 2
        var state = HTTP2ConnectionState(limits: limits, firstStreamID: Int(Int32.max) - 2)
        #expect(state.open() == Int(Int32.max) - 2)
        #expect(state.isDraining && state.open() == nil)
    }

    @Test func aBodyHasTheLengthThatWasDeclared() throws {
        var meter = HTTP2BodyMeter(declared: 5)
        try meter.add(3)
        #expect(throws: HTTP1RequestError.bodyTooShort(declared: 5, missing: 2)) { try meter.end() }
        #expect(throws: HTTP1RequestError.bodyTooLong(declared: 5)) { try meter.add(3) }
        try meter.add(2)
        try meter.end()
        var open = HTTP2BodyMeter(declared: nil)
        try open.add(1)
        try open.end()
    }
}
