// SPDX-License-Identifier: Apache-2.0

import Testing

/// A rule for what a server may or must not send, with the expected effect (RFC 9113).
struct HTTP2Rule: Sendable, CustomTestStringConvertible {
    enum Outcome {
        /// The response is accepted.
        case fine
        /// The connection ends, with this error code in a GOAWAY.
        case connectionError(UInt32)
        /// Only the stream ends, with this error code.
        case streamError(UInt32)
    }

    static let protocolError: UInt32 = 1
    static let flowControlError: UInt32 = 3
    static let streamClosed: UInt32 = 5
    static let frameSizeError: UInt32 = 6
    static let compressionError: UInt32 = 9
    static let calm: UInt32 = 11

    let name: String
    let outcome: Outcome
    /// The response to the first request, on stream 1.
    let bytes: [UInt8]

    var testDescription: String { name }

    init(_ name: String, _ outcome: Outcome, _ bytes: [UInt8]) {
        self.name = name
        self.outcome = outcome
        self.bytes = bytes
    }

    private static func frame(_ type: UInt8, _ flags: UInt8 = 0, _ stream: Int, _ payload: [UInt8] = []) -> [UInt8] {
        HTTP2Bytes(type: type, flags: flags, stream: stream, payload: payload).bytes
    }

    private static let answer = HTTP2Bytes.answer(1, "ok")
    private static let head = HTTP2Bytes.headers(1)

    /// Frames that violate the rules for their own form (sections 4 and 6).
    static let frames: [HTTP2Rule] = [
        HTTP2Rule("an unknown frame is ignored", .fine, frame(0xbe, 0xff, 1, [1, 2, 3]) + answer),
        HTTP2Rule("an unknown setting is ignored", .fine, HTTP2Bytes.settings([(0x99, 7)]) + answer),
        HTTP2Rule("undefined flags are ignored", .fine, frame(6, 0xfe, 0, .init(repeating: 1, count: 8)) + answer),
        HTTP2Rule("a reserved bit is ignored", .fine, frame(8, 0, 0, [0x80, 0, 0, 1]) + answer),
        HTTP2Rule("priority is ignored", .fine, frame(2, 0, 1, [0, 0, 0, 3, 9]) + answer),
        HTTP2Rule(
            "an answer nobody waits for is ignored",
            .fine,
            frame(6, 1, 0, .init(repeating: 1, count: 8)) + answer
        ),
        HTTP2Rule("data on stream 0", .connectionError(protocolError), frame(0, 0, 0, [1])),
        HTTP2Rule("a head on stream 0", .connectionError(protocolError), HTTP2Bytes.headers(0)),
        HTTP2Rule("a reset of stream 0", .connectionError(protocolError), HTTP2Bytes.reset(0, 8)),
        HTTP2Rule("priority on stream 0", .connectionError(protocolError), frame(2, 0, 0, [0, 0, 0, 3, 9])),
        HTTP2Rule("settings on a stream", .connectionError(protocolError), frame(4, 0, 1)),
        HTTP2Rule("a ping on a stream", .connectionError(protocolError), frame(6, 0, 1, .init(repeating: 1, count: 8))),
        HTTP2Rule("an end on a stream", .connectionError(protocolError), frame(7, 0, 1, .init(repeating: 0, count: 8))),
        HTTP2Rule("a continuation of nothing", .connectionError(protocolError), HTTP2Bytes.continuation(1, [])),
        HTTP2Rule(
            "a frame beyond the maximum",
            .connectionError(frameSizeError),
            head + frame(0, 0, 1, .init(repeating: 1, count: 16_385))
        ),
        HTTP2Rule(
            "a head beyond the maximum",
            .connectionError(frameSizeError),
            frame(1, 4, 1, .init(repeating: 1, count: 16_385))
        ),
        HTTP2Rule("a reset of three bytes", .connectionError(frameSizeError), frame(3, 0, 1, [0, 0, 8])),
        HTTP2Rule(
            "a ping of seven bytes",
            .connectionError(frameSizeError),
            frame(6, 0, 0, .init(repeating: 1, count: 7))
        ),
        HTTP2Rule(
            "a window of five bytes",
            .connectionError(frameSizeError),
            frame(8, 0, 0, .init(repeating: 1, count: 5))
        ),
        HTTP2Rule(
            "settings of five bytes",
            .connectionError(frameSizeError),
            frame(4, 0, 0, .init(repeating: 0, count: 5))
        ),
        HTTP2Rule(
            "acknowledged settings with a setting",
            .connectionError(frameSizeError),
            frame(4, 1, 0, .init(repeating: 0, count: 6))
        ),
        HTTP2Rule(
            "an end of seven bytes",
            .connectionError(frameSizeError),
            frame(7, 0, 0, .init(repeating: 0, count: 7))
        ),
        HTTP2Rule(
            "data that is padded beyond its end",
            .connectionError(protocolError),
            head + frame(0, 9, 1, [3, 0, 0])
        ),
        HTTP2Rule("a head that is padded beyond its end", .connectionError(protocolError), frame(1, 13, 1, [9, 0x88])),
        HTTP2Rule("padding to the last byte is fine", .fine, head + frame(0, 9, 1, [2] + Array("ok".utf8) + [0, 0])),
        HTTP2Rule(
            "a head that is cut by data",
            .connectionError(protocolError),
            HTTP2Bytes.headers(1, whole: false) + HTTP2Bytes.data(1, "x")
        ),
        HTTP2Rule(
            "a head that is cut by another stream's",
            .connectionError(protocolError),
            HTTP2Bytes.headers(1, whole: false) + HTTP2Bytes.continuation(3, [], whole: true)
        ),
        HTTP2Rule(
            "a head that is cut by an unknown frame",
            .connectionError(protocolError),
            HTTP2Bytes.headers(1, whole: false) + frame(0xbe, 0, 1) + HTTP2Bytes.continuation(1, [], whole: true)
        ),
    ]

    /// Settings, windows, streams and fields.
    static let meanings: [HTTP2Rule] = [
        HTTP2Rule("push switched on", .connectionError(protocolError), HTTP2Bytes.settings([(2, 1)])),
        HTTP2Rule("push switched off is fine", .fine, HTTP2Bytes.settings([(2, 0)]) + answer),
        HTTP2Rule("a window beyond 31 bits", .connectionError(flowControlError), HTTP2Bytes.settings([(4, 1 << 31)])),
        HTTP2Rule("frames of less than 16 KiB", .connectionError(protocolError), HTTP2Bytes.settings([(5, 16_383)])),
        HTTP2Rule("frames beyond 24 bits", .connectionError(protocolError), HTTP2Bytes.settings([(5, 1 << 24)])),
        HTTP2Rule(
            "a stream's window that settings raise beyond 31 bits",
            .connectionError(flowControlError),
            HTTP2Bytes.windowUpdate(1, 0x7fff_0000) + HTTP2Bytes.settings([(4, 0x7fff_ffff)])
        ),
        HTTP2Rule("a stream's window raised by 0", .streamError(protocolError), HTTP2Bytes.windowUpdate(1, 0)),
        HTTP2Rule(
            "a stream's window raised beyond 31 bits",
            .streamError(flowControlError),
            HTTP2Bytes.windowUpdate(1, 0x7fff_ffff)
        ),
        HTTP2Rule("the window raised by 0", .connectionError(protocolError), HTTP2Bytes.windowUpdate(0, 0)),
        HTTP2Rule(
            "the window raised beyond 31 bits",
            .connectionError(flowControlError),
            HTTP2Bytes.windowUpdate(0, 0x7fff_ffff)
        ),
        HTTP2Rule(
            "the windows raised to 31 bits are fine",
            .fine,
            HTTP2Bytes.windowUpdate(0, 0x7fff_0000) + HTTP2Bytes.windowUpdate(1, 0x7fff_0000) + answer
        ),
        HTTP2Rule("data on an idle stream", .connectionError(protocolError), HTTP2Bytes.data(5, "x")),
        HTTP2Rule("a head on an idle stream", .connectionError(protocolError), HTTP2Bytes.headers(5)),
        HTTP2Rule("a head on a stream of the server's", .connectionError(protocolError), HTTP2Bytes.headers(2)),
        HTTP2Rule("a reset of an idle stream", .connectionError(protocolError), HTTP2Bytes.reset(5, 8)),
        HTTP2Rule("a window of an idle stream", .connectionError(protocolError), HTTP2Bytes.windowUpdate(5, 1)),
        HTTP2Rule(
            "an index that the table doesn't have",
            .connectionError(compressionError),
            HTTP2Bytes.headers(1, [0xff, 0x7f])
        ),
        HTTP2Rule("index 0", .connectionError(compressionError), HTTP2Bytes.headers(1, [0x80])),
        HTTP2Rule(
            "a table larger than allowed",
            .connectionError(compressionError),
            HTTP2Bytes.headers(1, [0x3f, 0xff, 0x7f, 0x88])
        ),
        HTTP2Rule(
            "a table resized behind a field",
            .connectionError(compressionError),
            HTTP2Bytes.headers(1, [0x88, 0x20])
        ),
        HTTP2Rule(
            "a field without a name",
            .connectionError(compressionError),
            HTTP2Bytes.headers(1, [0x88] + HTTP2Bytes.field("", "x"))
        ),
        HTTP2Rule(
            "a field that is cut off",
            .connectionError(compressionError),
            HTTP2Bytes.headers(1, [0x88, 0, 5, 0x78])
        ),
    ]

    /// Fields that make a response malformed (sections 8.1 and 8.2).
    static let fields: [HTTP2Rule] = [
        ("an upper-case name", HTTP2Bytes.field("Upper", "x")),
        ("a name with a space", HTTP2Bytes.field("a b", "x")),
        ("a name with a colon inside", HTTP2Bytes.field("a:b", "x")),
        ("a name beyond ASCII", HTTP2Bytes.field("\u{e9}", "x")),
        ("a status again", [0x88]),
        ("a request's pseudo-header", HTTP2Bytes.field(":method", "GET")),
        ("an unknown pseudo-header", HTTP2Bytes.field(":x", "y")),
        ("connection", HTTP2Bytes.field("connection", "close")),
        ("keep-alive", HTTP2Bytes.field("keep-alive", "x")),
        ("proxy-connection", HTTP2Bytes.field("proxy-connection", "x")),
        ("transfer-encoding", HTTP2Bytes.field("transfer-encoding", "chunked")),
        ("upgrade", HTTP2Bytes.field("upgrade", "x")),
        ("a leading space", HTTP2Bytes.field("x", " y")),
        ("a leading tab", HTTP2Bytes.field("x", "\ty")),
        ("a trailing space", HTTP2Bytes.field("x", "y ")),
        ("a trailing tab", HTTP2Bytes.field("x", "y\t")),
        ("a value of one space", HTTP2Bytes.field("x", " ")),
        ("NUL", HTTP2Bytes.field("x", "a\0b")),
        ("a line feed", HTTP2Bytes.field("x", "a\nb")),
        ("a carriage return", HTTP2Bytes.field("x", "a\rb")),
        ("an escape", HTTP2Bytes.field("x", "a\u{1b}[31m")),
        ("DEL", HTTP2Bytes.field("x", "a\u{7f}")),
        ("a line feed under a mark", HTTP2Bytes.field("x", "a\n\u{301}")),
    ].map { name, field in
        HTTP2Rule(
            name,
            .streamError(protocolError),
            HTTP2Bytes.headers(1, [0x88] + field) + HTTP2Bytes.data(1, "ok", ends: true)
        )
    }
}
