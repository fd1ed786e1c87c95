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
        #expect(state.sendable(20, connectionWindow: 100) == 10)
        #expect(state.sendable(20, connectionWindow: 3) == 3)
        #expect(state.sendable(2, connectionWindow: 100) == 2)
        state.spend(10)
        #expect(state.sendable(20, connectionWindow: 100) == 0)
        // A lowered setting makes a window negative (RFC 9113 section 6.9.2).
        try state.changeSendWindow(by: -5)
        #expect(state.sendable(20, connectionWindow: 100) == 0)
        try state.changeSendWindow(by: 6)
        #expect(state.sendable(20, connectionWindow: 100) == 1)
    }

    @Test func knowsWhatWasCountedAndNotWritten() throws {
        var state = state(window: 10)
        state.spend(8)
        #expect(state.unwritten == 8)
        state.noteWritten(window: 5)
        #expect(state.unwritten == 3)
        try state.changeSendWindow(by: 7)
        #expect(state.unwritten == 3)
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
