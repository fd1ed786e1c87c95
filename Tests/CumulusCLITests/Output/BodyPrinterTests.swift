// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusCLI

@Suite(.serialized) struct BodyPrinterTests {
    private func style(terminal: Bool = false, formats: Bool = false, colors: Bool = false) -> OutputPlan {
        OutputPlan(parts: .responseBody, formats: formats, colors: colors, isTerminal: terminal)
    }

    private func printed(_ bytes: [UInt8], type: String?, _ style: OutputPlan, every: Int = 7) -> [UInt8] {
        var printer = BodyPrinter(type: type.flatMap { MediaType(parsing: $0) }, style: style)
        return printer.all(
            of: stride(from: 0, to: bytes.count, by: every).map { Array(bytes[$0..<min($0 + every, bytes.count)]) }
        )
    }

    private func printed(_ text: String, type: String?, _ style: OutputPlan) -> String {
        String(decoding: printed(Array(text.utf8), type: type, style), as: UTF8.self)
    }

    @Test func `what is piped is never altered`() {
        let bytes = (0...255).map { UInt8($0) } + Array("\u{1B}[31m\r\n".utf8)
        for type in ["text/plain", "application/octet-stream", "application/json", nil] {
            #expect(printed(bytes, type: type, style()) == bytes)
            #expect(printed(bytes, type: type, style(formats: true, colors: true)) == bytes)
        }
    }

    @Test("a body that is too long to be formatted or sorted is shown as received, and a remark says so")
    func tooLong() {
        var sorted = style(formats: true)
        sorted.isSorted = true
        let body = Array((#"{"b":1,"a":""# + String(repeating: "x", count: 200) + #""}"#).utf8)
        for style in [style(formats: true), style(terminal: true, formats: true), sorted] {
            var printer = BodyPrinter(type: .json, style: style, collectedLimit: 100)
            #expect(printer.all(of: body.map { [$0] }) == body)
            #expect(printer.remark?.contains("is shown as received") == true)
            var whole = BodyPrinter(type: .json, style: style, collectedLimit: 1_000)
            #expect(whole.all(of: [body]) != body && whole.remark == nil)
        }
        var lines = BodyPrinter(type: MediaType("application", "x-ndjson"), style: style(formats: true))
        let line = Array(("[" + String(repeating: "1,", count: 600_000) + "1]\n").utf8)
        #expect(lines.all(of: [line]) == line && lines.remark?.contains("a line is longer") == true)
    }

    @Test func jsonIsLaidOutInItsOwnOrder() {
        let text = printed(#"{"b":[1,2.50],"a":{"x":null}}"#, type: "application/json", style(formats: true))
        #expect(
            text == """
                {
                  "b": [
                    1,
                    2.50
                  ],
                  "a": {
                    "x": null
                  }
                }
                """
        )
    }

    @Test(arguments: ["application/problem+json", "text/json; charset=utf-8"])
    func allKindsOfJSONAreLaidOut(type: String) {
        #expect(printed("[1]", type: type, style(formats: true)) == "[\n  1\n]")
    }

    @Test func jsonIsColored() {
        let text = printed(#"{"a":["t",-1e5,true]}"#, type: "application/json", style(colors: true))
        #expect(
            text == "{\u{1B}[34m\"a\"\u{1B}[0m:[\u{1B}[32m\"t\"\u{1B}[0m,\u{1B}[36m-1e5\u{1B}[0m,"
                + "\u{1B}[35mtrue\u{1B}[0m]}"
        )
    }

    @Test func colorsLeaveTheTextAsItIs() {
        let text = #"{"a\"b" : ["\\", "x:y", 1.5E-3, false, null], "" : {}}"#
        let painted = printed(text, type: "application/json", style(colors: true))
        #expect(painted != text)
        let plain = painted.replacing(/\u{1B}\[[0-9]*m/, with: "")
        #expect(plain == text)
        #expect(printed("\"open", type: "application/json", style(colors: true)) == "\"open")
    }

    @Test func textIsPrintedAsItIs() {
        let text = "<p>a &amp; b</p>\n"
        #expect(printed(text, type: "text/plain", style(terminal: true, formats: true, colors: true)) == text)
    }

    @Test func brokenJSONIsPrintedAsItIs() {
        #expect(printed("{oops", type: "application/json", style(terminal: true, formats: true)) == "{oops")
    }

    @Test func `escapes in JSON are shown on a terminal, laid out or not`() {
        let json = "{\"a\":\"x\\u001b[2J\u{9B}31m\u{7F}\"}"
        let laidOut = printed(json, type: "application/json", style(terminal: true, formats: true))
        #expect(laidOut == "{\n  \"a\": \"x\\u001b[2J\\u009b31m\\u007f\"\n}")
        let plain = printed(json, type: "application/json", style(terminal: true))
        #expect(plain == "{\"a\":\"x\\u001b[2J\\u009b31m\\u007f\"}")
    }

    @Test func `escapes in broken JSON and other text are shown on a terminal`() {
        for type in ["application/json", "text/plain", "text/plain; charset=iso-8859-1", nil] {
            let text = printed("{\u{1B}[31m", type: type, style(terminal: true, formats: true, colors: false))
            #expect(text == "{\\u001b[31m")
        }
    }

    @Test func `a C1 control in Latin-1 is shown on a terminal`() {
        let bytes: [UInt8] = [0x61, 0x9B, 0x33, 0x31, 0x6D, 0xE4]
        let text = printed(bytes, type: "text/plain; charset=iso-8859-1", style(terminal: true))
        #expect(String(decoding: text, as: UTF8.self) == "a\\u009b31mä")
    }

    @Test func binaryIsKeptFromATerminal() {
        var printer = BodyPrinter(type: .png, style: style(terminal: true))
        #expect(printer.all(of: [[0x89, 0x50, 0x00, 0x1B], Array("more".utf8)]).isEmpty)
        #expect(printer.isSuppressed)
    }

    @Test func textInUTF16IsShown() {
        let bytes: [UInt8] = [0xFF, 0xFE, 0x61, 0x00, 0xE4, 0x00]
        let text = printed(bytes, type: "text/plain; charset=utf-16", style(terminal: true))
        #expect(String(decoding: text, as: UTF8.self) == "aä")
    }

    @Test func anEndlessJSONIsPrintedWithoutBeingKept() throws {
        var printer = BodyPrinter(type: .json, style: style(terminal: true, formats: true), collectedLimit: 10_000)
        let piece = ByteChunk([UInt8](repeating: UInt8(ascii: "1"), count: 1000))
        var count = 0
        for _ in 0..<20 { try printer.take(piece) { count += $0.count } }
        #expect(count == 20_000)
    }
}
