// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

/// A body of an event stream with the events that it contains, by the WHATWG's rules.
struct EventCase: Sendable, CustomTestStringConvertible {
    let name: String
    let body: [UInt8]
    let events: [ServerSentEvent]
    /// The ID with which a new connection continues.
    var lastEventID = ""

    var testDescription: String { name }

    init(_ name: String, _ body: String, _ events: [ServerSentEvent], id: String = "") {
        self.init(name, Array(body.utf8), events, id: id)
    }

    init(_ name: String, _ body: [UInt8], _ events: [ServerSentEvent], id: String = "") {
        (self.name, self.body, self.events, lastEventID) = (name, body, events, id)
    }

    private static func message(_ data: String, id: String? = nil) -> ServerSentEvent {
        ServerSentEvent(data: data, id: id)
    }

    static let all = lines + fields + identifiers + times + text

    private static let lines = [
        EventCase("a line feed ends a line", "data: a\n\n", [message("a")]),
        EventCase("a carriage return ends a line", "data: a\r\r", [message("a")]),
        EventCase("a carriage return and a line feed end one line", "data: a\r\n\r\n", [message("a")]),
        EventCase("line ends may be mixed", "data: a\rdata: b\r\ndata: c\n\n", [message("a\nb\nc")]),
        EventCase("an event may end with LF CR", "data: a\n\rdata: b\n\n", [message("a"), message("b")]),
        EventCase("CR LF after CR is one line end", "data: a\r\r\ndata: b\r\r\n", [message("a"), message("b")]),
        EventCase("LF LF after CR is two line ends", "data: a\r\n\ndata: b\n\n", [message("a"), message("b")]),
        EventCase(
            "empty lines between events are ignored",
            "\n\n\ndata: a\n\n\n\n\r\rdata: b\n\n",
            [message("a"), message("b")]
        ),
        EventCase("an empty body has no event", "", []),
        EventCase("only line ends have no event", "\r\n\r\n\n\r", []),
        EventCase("an event without its empty line is dropped", "data: a\n\ndata: b\n", [message("a")]),
        EventCase("a line without its end is dropped", "data: a\n\ndata: b", [message("a")]),
        EventCase("a carriage return at the end ends the event", "data: a\n\r", [message("a")]),
        EventCase(
            "a form feed, NEL and U+2028 don't end lines",
            "data: a\u{C}b\u{85}c\u{2028}d\u{B}\n\n",
            [message("a\u{C}b\u{85}c\u{2028}d\u{B}")]
        ),
        EventCase("a byte order mark is skipped", "\u{FEFF}data: a\n\n", [message("a")]),
        EventCase(
            "a second byte order mark is part of the name",
            "\u{FEFF}\u{FEFF}data: a\n\ndata: b\n\n",
            [message("b")]
        ),
        EventCase("a later byte order mark is part of the name", "data: a\n\n\u{FEFF}data: b\n\n", [message("a")]),
        EventCase("a byte order mark alone is an empty line", "\u{FEFF}\ndata: a\n\n", [message("a")]),
        EventCase("a half byte order mark is part of the name", [0xEF, 0xBB] + Array("data: a\n\n".utf8), []),
        EventCase("a comment after a byte order mark is ignored", "\u{FEFF}: c\ndata: a\n\n", [message("a")]),
    ]

    private static let fields = [
        EventCase("one space after the colon is removed", "data:  a\n\n", [message(" a")]),
        EventCase("no space after the colon is needed", "data:a\n\n", [message("a")]),
        EventCase("a tab after the colon is kept", "data:\ta\n\n", [message("\ta")]),
        EventCase("spaces at the end are kept", "data: a  \n\n", [message("a  ")]),
        EventCase("only the first colon separates", "data: a:b: c\n\n", [message("a:b: c")]),
        EventCase(
            "data lines are joined by line feeds",
            "data: a\ndata: b\ndata:\ndata: c\n\n",
            [message("a\nb\n\nc")]
        ),
        EventCase("a field without a colon has an empty value", "data\n\n", [message("")]),
        EventCase("two empty data fields are a line feed", "data\ndata\n\n", [message("\n")]),
        EventCase("the standard's example of empty data", "data\n\ndata\ndata\n\ndata:", [message(""), message("\n")]),
        EventCase("data of one space is empty", "data: \n\n", [message("")]),
        EventCase("names are case-sensitive", "Data: a\nDATA: b\ndata: c\n\n", [message("c")]),
        EventCase("a space before the name makes it unknown", " data: a\n\n", []),
        EventCase("a space after the name makes it unknown", "data : a\ndata: b\n\n", [message("b")]),
        EventCase(
            "a longer name is unknown",
            "datas: a\neventful: x\nids: 1\nretry-after: 1\ndata: b\n\n",
            [message("b")]
        ),
        EventCase("a shorter name is unknown", "dat: a\nd: b\ne\ni\nr\ndata: c\n\n", [message("c")]),
        EventCase("unknown fields are ignored", "test: x\ndata: a\nfoo\n\n", [message("a")]),
        EventCase("comments are ignored", ": c\n:\n:data: x\ndata: a\n: c\n\n", [message("a")]),
        EventCase("a comment doesn't end an event", "data: a\n:\ndata: b\n\n", [message("a\nb")]),
        EventCase("an event has its type", "event: ping\ndata: a\n\n", [ServerSentEvent(data: "a", type: "ping")]),
        EventCase("the last type counts", "event: a\nevent: b\ndata: x\n\n", [ServerSentEvent(data: "x", type: "b")]),
        EventCase("an empty type is message", "event: a\nevent\ndata: x\n\n", [message("x")]),
        EventCase(
            "a type is for one event",
            "event: a\ndata: x\n\ndata: y\n\n",
            [ServerSentEvent(data: "x", type: "a"), message("y")]
        ),
        EventCase("a type without data is forgotten", "event: a\n\ndata: y\n\n", [message("y")]),
        EventCase(
            "fields may stand in any order",
            "data: x\nid: 1\nevent: a\n\n",
            [ServerSentEvent(data: "x", type: "a", id: "1")],
            id: "1"
        ),
    ]

    private static let identifiers = [
        EventCase("an event has its ID", "id: 1\ndata: a\n\n", [message("a", id: "1")], id: "1"),
        EventCase(
            "an ID stays for later events",
            "id: 1\ndata: a\n\ndata: b\n\n",
            [message("a", id: "1"), message("b", id: "1")],
            id: "1"
        ),
        EventCase("an empty ID resets it", "id: 1\ndata: a\n\nid\ndata: b\n\n", [message("a", id: "1"), message("b")]),
        EventCase(
            "an ID with NUL is ignored",
            "id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n",
            [message("a", id: "1"), message("b", id: "1")],
            id: "1"
        ),
        EventCase("an ID without data takes effect", "id: 7\n\ndata: a\n\n", [message("a", id: "7")], id: "7"),
        EventCase("empty data with an ID is an event", "id: 7\ndata: \n\n", [message("", id: "7")], id: "7"),
        EventCase(
            "an ID of an unfinished event has no effect",
            "id: 1\ndata: a\n\nid: 2\ndata: b\n",
            [message("a", id: "1")],
            id: "1"
        ),
        EventCase("an ID can't contain a line end", "id: 1\r2\ndata: a\n\n", [message("a", id: "1")], id: "1"),
        EventCase("an ID keeps other spaces", "id:  1 \ndata: a\n\n", [message("a", id: " 1 ")], id: " 1 "),
        EventCase("an ID may have any text", "id: a:…\ndata: a\n\n", [message("a", id: "a:…")], id: "a:…"),
    ]

    private static let times = [
        EventCase(
            "digits are a time",
            "retry: 1500\ndata: a\n\n",
            [ServerSentEvent(data: "a", retry: .milliseconds(1500))]
        ),
        EventCase("zero is a time", "retry: 0\ndata: a\n\n", [ServerSentEvent(data: "a", retry: .zero)]),
        EventCase(
            "leading zeros are allowed",
            "retry: 007\ndata: a\n\n",
            [ServerSentEvent(data: "a", retry: .milliseconds(7))]
        ),
        EventCase(
            "a time too large is the largest",
            "retry: 99999999999999999999999\ndata: a\n\n",
            [ServerSentEvent(data: "a", retry: .milliseconds(Int64.max))]
        ),
        EventCase(
            "other text is not a time",
            ["x", "-1", "+1", "1.5", "1 ", " 1", "", "1e3", "٣", "0x10", "99999999999999999999999x"].map {
                "retry: \($0)\n"
            }.joined() + "data: a\n\n",
            [message("a")]
        ),
        EventCase(
            "the last valid time counts",
            "retry: 1\nretry: 2\nretry: x\ndata: a\n\n",
            [ServerSentEvent(data: "a", retry: .milliseconds(2))]
        ),
        EventCase(
            "a time is for one event",
            "retry: 1\ndata: a\n\ndata: b\n\n",
            [ServerSentEvent(data: "a", retry: .milliseconds(1)), message("b")]
        ),
        EventCase("a time alone is not an event", "retry: 1\n\n", []),
    ]

    private static let text = [
        EventCase("text is UTF-8", "data: é…😀\n\n", [message("é…😀")]),
        EventCase("NUL in data is kept", "data: a\0b\n\n", [message("a\0b")]),
        EventCase(
            "an invalid byte is replaced",
            Array("data: a".utf8) + [0xFF] + Array("b\n\n".utf8),
            [message("a\u{FFFD}b")]
        ),
        EventCase(
            "half a code point is replaced",
            Array("data: ".utf8) + [0xF0, 0x9F, 0x98] + Array("\n\n".utf8),
            [message("\u{FFFD}")]
        ),
        EventCase(
            "an overlong slash is replaced",
            Array("data: ".utf8) + [0xC0, 0xAF] + Array("\n\n".utf8),
            [message("\u{FFFD}\u{FFFD}")]
        ),
        EventCase(
            "a surrogate is replaced",
            Array("data: ".utf8) + [0xED, 0xA0, 0x80] + Array("\n\n".utf8),
            [message("\u{FFFD}\u{FFFD}\u{FFFD}")]
        ),
        EventCase("bytes of a code point don't end lines", "data: \u{10A0D}\u{A0D}\n\n", [message("\u{10A0D}\u{A0D}")]),
    ]
}
