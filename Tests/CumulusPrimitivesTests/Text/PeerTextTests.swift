// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Testing

@Suite("A peer's text is made fit to print") struct PeerTextTests {
    @Test(
        "control and invisible characters become visible",
        arguments: [
            ("a\u{1B}[2Jb", #"a\u001b[2Jb"#), ("a\u{9B}b", #"a\u009bb"#), ("a\r\nb", #"a\u000d\u000ab"#),
            ("\u{202E}gpj", #"\u202egpj"#), ("a\u{200B}b", #"a\u200bb"#), ("\n\u{200D}x", #"\u000a\u200dx"#),
            ("\u{E0041}", #"\u{e0041}"#), ("Grüße 日本", "Grüße 日本"), ("", ""),
        ]
    )
    func becomesVisible(text: String, printed: String) {
        #expect(PeerText.printable(text) == printed)
        #expect(PeerText.printable(bytes: Array(text.utf8)) == printed)
    }

    @Test("a long text is truncated, however many marks it has")
    func isCutOff() {
        #expect(PeerText.printable(String(repeating: "x", count: 200)) == String(repeating: "x", count: 200))
        #expect(PeerText.printable(String(repeating: "x", count: 201)) == String(repeating: "x", count: 200) + "...")
        let piled = "a" + String(repeating: "\u{301}", count: 10_000)
        #expect(PeerText.printable(piled).unicodeScalars.count == 203)
        #expect(PeerText.printable(bytes: Array(piled.utf8), limit: 5).unicodeScalars.count == 8)
    }

    @Test("invalid UTF-8 is shown as unknown characters")
    func brokenBytes() { #expect(PeerText.printable(bytes: [0x61, 0xFF, 0x62]) == "a\u{FFFD}b") }
}
