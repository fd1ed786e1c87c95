// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import TestSupport
import Testing

@testable import CumulusCLI

/// Bodies that grow by being formatted.
@Suite(.serialized) struct LayoutTests {
    private struct Count {
        var bytes = 0
        var largestPiece = 0
        var isTooLarge = false
    }

    /// The size of the output on a terminal, without keeping it.
    private func counted(_ body: [UInt8], type: MediaType) throws -> Count {
        var style = OutputPlan(parts: .responseBody, formats: true, colors: true, isTerminal: true)
        style.isTerminal = true
        var printer = BodyPrinter(type: type, style: style)
        var count = Count()
        func note(_ piece: [UInt8]) {
            count.bytes += piece.count
            count.largestPiece = max(count.largestPiece, piece.count)
        }
        try printer.take(ByteChunk(body), note)
        try printer.finish(note)
        count.isTooLarge = printer.remark != nil
        return count
    }

    private func nested(_ depth: Int, _ open: String, _ inner: String, _ close: String) -> [UInt8] {
        Array((String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)).utf8)
    }

    private static let many = SlowTests.rounds(40_000, of: 300_000)

    @Test("endless nesting is shown as received", arguments: [10_000, many])
    func endlessNesting(depth: Int) throws {
        let json = try counted(nested(depth, "[", "1", "]"), type: .json)
        #expect(json.isTooLarge && json.bytes == 2 * depth + 1)
        let open = try counted([UInt8](repeating: UInt8(ascii: "["), count: depth), type: .json)
        #expect(open.isTooLarge && open.bytes == depth)
        let objects = try counted(nested(depth, "{\"a\":", "1", "}"), type: .json)
        #expect(objects.isTooLarge && objects.bytes == 6 * depth + 1)
        let xml = try counted(nested(depth, "<a>", "<b/>", "</a>"), type: MediaType("text", "xml"))
        #expect(xml.isTooLarge && xml.bytes == 7 * depth + 4)
    }

    @Test("a small body that would be multiplied by its depth is shown as received")
    func manyLinesDeepDown() throws {
        // Two bytes each, a line of 200 when formatted: 2 KB of gzip would become 2 GB.
        let numbers = String(repeating: "1,", count: Self.many) + "1"
        let json = try counted(nested(100, "[", numbers, "]"), type: .json)
        #expect(json.isTooLarge && json.bytes == 2 * Self.many + 201)
        let elements = String(repeating: "<b/>", count: Self.many)
        let xml = try counted(nested(100, "<a>", elements, "</a>"), type: MediaType("text", "xml"))
        #expect(xml.isTooLarge && xml.bytes == 4 * Self.many + 700)
    }

    @Test("formatted output is written in pieces, not held")
    func pieces() throws {
        let numbers = "[" + String(repeating: "1,", count: Self.many) + "1]"
        let json = try counted(Array(numbers.utf8), type: .json)
        #expect(!json.isTooLarge)
        #expect(json.bytes > 10 * Self.many)
        #expect(json.largestPiece < 200_000)
        let xml = "<a>" + String(repeating: "<b/>", count: Self.many) + "</a>"
        let laidOut = try counted(Array(xml.utf8), type: MediaType("text", "xml"))
        #expect(!laidOut.isTooLarge)
        #expect(laidOut.largestPiece < 200_000)
        let controls = try counted([UInt8](repeating: 1, count: 100_000), type: .text)
        #expect(controls.bytes == 600_000)
        #expect(controls.largestPiece < 500_000)
    }

    private func laidOut(_ text: String, colors: Bool = false, isTerminal: Bool = true) -> String {
        let style = OutputPlan(parts: .responseBody, formats: true, colors: colors, isTerminal: isTerminal)
        var printer = BodyPrinter(type: .json, style: style)
        return String(decoding: printer.all(of: [Array(text.utf8)]), as: UTF8.self)
    }

    @Test func bothOfTwoEqualNamesAreShown() {
        #expect(laidOut(#"{"a":1,"a":2,"b":{}}"#) == "{\n  \"a\": 1,\n  \"a\": 2,\n  \"b\": {}\n}")
    }

    @Test func numbersAndEscapesStayAsTheyCame() {
        let text = #"[1.50E+3,-0,"\u00e9\/",1e-9223372036854775808]"#
        #expect(laidOut(text) == "[\n  1.50E+3,\n  -0,\n  \"\\u00e9\\/\",\n  1e-9223372036854775808\n]")
    }

    @Test(arguments: [
        "[1,]", "{\"a\"}", "{\"a\":1,}", "[1 2]", "[", "\"open", "nul", "[1]]", "{]", "[}", "{1:2}", "", ":",
    ])
    func whatIsNoJSONIsPrintedAsItCame(text: String) { #expect(laidOut(text, colors: true) == text) }

    @Test("bidirectional controls are shown on a terminal, in JSON, XML and heads")
    func directions() {
        #expect(laidOut("{\"a\":\"x\u{202E}y\"}") == "{\n  \"a\": \"x\\u202ey\"\n}")
        #expect(laidOut("{\"a\":\"x\u{202E}y\"}", isTerminal: false) == "{\n  \"a\": \"x\u{202E}y\"\n}")
        #expect(
            laidOut("[1,\r\"\u{2066}\"]", colors: true).unicodeScalars.allSatisfy { $0 != "\r" && $0 != "\u{2066}" }
        )
    }
}
