// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCLI

@Suite(.serialized) struct TerminalTextTests {
    @Test(arguments: [
        ("plain äöü 🌩", "plain äöü 🌩"),
        ("a\u{1B}[31mred", "a\\u001b[31mred"),
        ("title\u{1B}]0;owned\u{07}", "title\\u001b]0;owned\\u0007"),
        ("nul\0", "nul\\u0000"),
        ("del\u{7F}", "del\\u007f"),
        ("csi\u{9B}2J", "csi\\u009b2J"),
        ("osc\u{9D}0;x\u{9C}", "osc\\u009d0;x\\u009c"),
        ("lines\nand\ttabs", "lines\nand\ttabs"),
        ("crlf\r\nnext", "crlf\nnext"),
        ("over\rwrite", "over\\u000dwrite"),
        ("back\u{08}space", "back\\u0008space"),
        ("e\u{301}\u{1B}", "e\u{301}\\u001b"),
        ("a\u{202E}b\u{2066}c\u{200F}", "a\\u202eb\\u2066c\\u200f"),
        ("a\u{2028}b", "a\\u2028b"),
    ])
    func `control characters are shown and do nothing`(text: String, expected: String) {
        #expect(TerminalText.harmless(text) == expected)
        var stream = TerminalText()
        #expect(stream.take(Array(text.utf8)) + stream.finish() == expected)
    }

    @Test func `a text on one line keeps neither line ends nor tabs`() {
        #expect(TerminalText.harmless("a\n\tb\r\n", keepsLines: false) == "a\\u000a\\u0009b\\u000d\\u000a")
    }

    @Test func `every control character is neutralised in any position of a stream`() {
        let controls = (0x00...0x1F).map { UInt32($0) } + (0x7F...0x9F).map { UInt32($0) } + [0x202E, 0x2066, 0x061C]
        for value in controls where value != 0x0A && value != 0x09 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            var stream = TerminalText()
            var shown = ""
            for byte in Array("x\(scalar)y".utf8) { shown += stream.take([byte]) }
            shown += stream.finish()
            #expect(!shown.unicodeScalars.contains(scalar))
            #expect(shown.hasPrefix("x\\u") && shown.hasSuffix("y"))
        }
    }

    @Test func charactersMayBeSplitAnywhere() {
        let text = "aß€🌩\r\nb"
        for every in 1...5 {
            var stream = TerminalText()
            var shown = ""
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: every) {
                shown += stream.take(bytes[start..<min(start + every, bytes.count)])
            }
            #expect(shown + stream.finish() == "aß€🌩\nb")
        }
    }

    @Test func bytesThatAreNoTextAreReplaced() {
        var stream = TerminalText()
        #expect(stream.take([0x61, 0x9B, 0x33, 0x31, 0x6D]) == "a\u{FFFD}31m")
        #expect(stream.take([0xE2, 0x82]).isEmpty)
        #expect(stream.finish() == "\u{FFFD}")
    }

    @Test func aReturnAtTheVeryEndIsShown() {
        var stream = TerminalText()
        #expect(stream.take(Array("a\r".utf8)) == "a")
        #expect(stream.finish() == "\\u000d")
    }
}
