// SPDX-License-Identifier: Apache-2.0

import NIOHPACK
import Testing

@testable import CumulusNIO

@Suite(.serialized) struct HTTP2StreamStateTests {
    private func head(_ status: String, _ fields: [(String, String)] = []) -> HPACKHeaders {
        HPACKHeaders([(":status", status)] + fields)
    }

    private func state(isHead: Bool = false, window: Int = 100) -> HTTP2StreamState {
        HTTP2StreamState(isHead: isHead, sendWindow: window)
    }

    @Test func readsAResponseWithContentAndTrailers() throws {
        var state = state()
        #expect(!state.hasBegun && !state.hasHead)
        #expect(try state.receive(head("103"), endsStream: false) == .informational(status: 103))
        #expect(state.hasBegun && !state.hasHead)
        let section = try state.receive(head("200", [("content-length", "5")]), endsStream: false)
        #expect(section == .head(status: 200, length: 5))
        try state.receive(5, endsStream: false)
        #expect(!state.hasEnded)
        #expect(try state.receive(HPACKHeaders([("x", "y")]), endsStream: true) == .trailers)
        #expect(state.hasEnded)
    }

    @Test func aHeadAloneIsAWholeResponse() throws {
        for (status, isHead) in [("200", true), ("204", false), ("304", false)] {
            var state = state(isHead: isHead)
            let length = try state.receive(head(status, [("content-length", "7")]), endsStream: true)
            #expect(length == .head(status: try #require(Int(status)), length: 0))
            #expect(state.hasEnded)
        }
    }

    @Test func contentWhereThereCanBeNoneIsRefused() throws {
        for (status, isHead) in [("200", true), ("204", false), ("304", false)] {
            var state = state(isHead: isHead)
            _ = try state.receive(head(status), endsStream: false)
            #expect(throws: HTTP2ProtocolError.unexpectedContent) { try state.receive(1, endsStream: true) }
        }
        var early = state()
        #expect(throws: HTTP2ProtocolError.unexpectedContent) { try early.receive(1, endsStream: false) }
    }

    @Test func contentOfAnotherLengthIsRefused() throws {
        for count in [4, 6] {
            var state = state()
            _ = try state.receive(head("200", [("content-length", "5")]), endsStream: false)
            #expect(throws: HTTP2ProtocolError.wrongLength) { try state.receive(count, endsStream: true) }
        }
    }

    @Test func headsWithoutAUsableStatusAreRefused() {
        for status in ["", "20", "2000", "abc", "+20", "099"] {
            var state = state()
            #expect(throws: HTTP2ProtocolError.malformedStatus) {
                _ = try state.receive(head(status), endsStream: true)
            }
        }
        var none = state()
        #expect(throws: HTTP2ProtocolError.malformedStatus) { _ = try none.receive([:], endsStream: true) }
    }

    @Test func informationalResponsesCantEndOrSwitch() {
        var ending = state()
        #expect(throws: HTTP2ProtocolError.endedByInformational) {
            _ = try ending.receive(head("103"), endsStream: true)
        }
        var switching = state()
        #expect(throws: HTTP2ProtocolError.upgrade) { _ = try switching.receive(head("101"), endsStream: false) }
    }

    @Test("sent bytes and time pay for more informational responses")
    func paidInformationalResponses() throws {
        var state = state()
        state.noteProgress(sent: 16_384, after: .zero)
        for _ in 0..<2_001 { _ = try state.receive(head("104"), endsStream: false) }
        state.noteProgress(sent: 16_384, after: .seconds(2))
        for _ in 0..<20 { _ = try state.receive(head("102"), endsStream: false) }
        #expect(throws: HTTP2ProtocolError.tooManyInformationalResponses(limit: 2_021)) {
            _ = try state.receive(head("102"), endsStream: false)
        }
    }

    @Test func trailersEndTheStream() throws {
        var state = state()
        _ = try state.receive(head("200"), endsStream: false)
        #expect(throws: HTTP2ProtocolError.unendedTrailers) { _ = try state.receive(["x": "y"], endsStream: false) }
    }

    @Test func theNumberOfFieldsIsBounded() throws {
        let fields = (0..<5_000).map { _ in ("x", "y") }
        var state = state()
        #expect(throws: HTTP2ProtocolError.tooManyFields(limit: 5_000)) {
            _ = try state.receive(head("200", fields), endsStream: true)
        }
    }

    @Test func aValueThatIsNoFieldTextIsRefusedByItsName() throws {
        for value in ["a\u{1}b", " a", "a\t"] {
            var state = state()
            #expect(throws: HTTP2ProtocolError.malformedField("set-cookie")) {
                _ = try state.receive(head("200", [("x", "y"), ("set-cookie", value)]), endsStream: true)
            }
        }
        #expect(
            "\(HTTP2ProtocolError.malformedField("set-cookie"))".hasPrefix("the value of set-cookie contains a control")
        )
    }

    @Test func sendsWhatBothWindowsLetThrough() throws {
        var state = state(window: 10)
        let wide = HTTP2SendWindow(100)
        #expect(state.sendable(20, ends: true, connection: wide) == 10)
        #expect(state.sendable(20, ends: true, connection: HTTP2SendWindow(3)) == 3)
        #expect(state.sendable(2, ends: true, connection: wide) == 2)
        state.window.queue(10)
        #expect(state.sendable(20, ends: true, connection: wide) == 0)
        state.window.write(10)
        // A lowered setting makes a window negative (RFC 9113 section 6.9.2).
        try state.window.change(by: -5)
        #expect(state.sendable(20, ends: true, isLate: true, connection: wide) == 0)
        try state.window.change(by: 6)
        #expect(state.sendable(20, ends: true, isLate: true, connection: wide) == 1)
    }

    @Test func nothingThatIsNotTheEndIsSmallerThanAFrameOrHalfAWindow() {
        let wide = HTTP2SendWindow(1 << 20)
        var state = state(window: 65_535)
        #expect(state.sendable(100_000, ends: true, connection: wide) == 3 * 16_384)
        state.window.queue(3 * 16_384)
        // The rest of the default window is a byte less than a frame.
        #expect(state.sendable(50_848, ends: true, connection: wide) == 16_383)
        state.window.queue(1)
        #expect(state.sendable(50_848, ends: true, connection: wide) == 0)
        #expect(state.sendable(50_848, ends: true, isLate: true, connection: wide) == 16_382)
        #expect(state.sendable(7, ends: true, connection: wide) == 7)
        #expect(state.sendable(0, ends: true, connection: wide) == 0)
        // A window of half a frame is never worth a whole one.
        let narrow = self.state(window: 8_192)
        #expect(narrow.sendable(100_000, ends: true, connection: wide) == 8_192)
        let single = self.state(window: 1)
        #expect(single.sendable(5, ends: true, connection: wide) == 1)
    }

    @Test func theLastFrameWaitsForTheNewsThatItIsTheLast() {
        let state = state(window: 1 << 20)
        let wide = HTTP2SendWindow(1 << 20)
        #expect(state.sendable(16_384, ends: false, connection: wide) == 0)
        #expect(state.sendable(16_385, ends: false, connection: wide) == 16_384)
        #expect(state.sendable(40_000, ends: false, connection: wide) == 32_768)
        #expect(state.sendable(100, ends: false, connection: wide) == 0)
        #expect(state.sendable(100, ends: false, isLate: true, connection: wide) == 100)
        #expect(!state.isBlocked(100, connection: wide) && state.isBlocked(100, connection: HTTP2SendWindow(99)))
    }

    @Test func aWindowCountsAsThePeerDoes() throws {
        var window = HTTP2SendWindow(10)
        window.queue(8)
        #expect(window.free == 2 && window.size == 10)
        window.write(5)
        #expect(window.free == 2 && window.size == 5 && window.queued == 3)
        window.drop(3)
        #expect(window.free == 5 && window.size == 5)
        // Exactly to the limit, whatever waits; not beyond.
        window.queue(5)
        try window.grow(by: HTTP2SendWindow.limit - 5)
        #expect(window.size == HTTP2SendWindow.limit)
        #expect(throws: HTTP2ProtocolError.windowTooLarge) { try window.grow(by: 1) }
        #expect(throws: HTTP2ProtocolError.emptyWindowUpdate) { try window.grow(by: 0) }
        #expect(throws: HTTP2ProtocolError.windowTooLarge) { try window.change(by: 1) }
    }

    @Test func framesWithoutContentCountInARow() throws {
        var state = state()
        _ = try state.receive(head("200"), endsStream: false)
        let first = (0..<17).map { _ in state.allowsEmptyFrame() }
        #expect(first == [Bool](repeating: true, count: 16) + [false])
        try state.receive(1, endsStream: false)
        let second = state.allowsEmptyFrame()
        #expect(second)
    }

    @Test func givesBackHalfAWindowAtATime() throws {
        var state = state()
        #expect(state.credit(ofWindow: 1_000) == nil)
        state.noteReceiveWindow(501)
        #expect(state.credit(ofWindow: 1_000) == nil)
        state.noteReceiveWindow(499)
        #expect(state.credit(ofWindow: 1_000) == 501)
        _ = try state.receive(head("200"), endsStream: true)
        #expect(state.credit(ofWindow: 1_000) == nil)
    }
}
