// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A server's text, made safe for a terminal: controls become visible and have no effect.
///
/// It takes bytes as they arrive and holds back an incomplete character at the end.
struct TerminalText {
    private var pending: [UInt8] = []
    private var endsWithReturn = false

    /// The text of the next bytes, up to the last complete character; invalid UTF-8 becomes U+FFFD.
    mutating func take(_ bytes: some Sequence<UInt8>) -> String {
        pending.append(contentsOf: bytes)
        let held = TerminalText.incompleteCount(pending)
        let text = String(decoding: pending.dropLast(held), as: UTF8.self)
        pending.removeFirst(pending.count - held)
        return harmless(text)
    }

    /// The text that was held back.
    mutating func finish() -> String {
        let text = harmless(String(decoding: pending, as: UTF8.self))
        pending = []
        defer { endsWithReturn = false }
        return endsWithReturn ? text + PeerText.visible("\r") : text
    }

    private mutating func harmless(_ text: String) -> String {
        let whole = endsWithReturn ? "\r" + text : text
        // A carriage return at the end may be half of a line end.
        endsWithReturn = whole.unicodeScalars.last == "\r"
        return TerminalText.harmless(endsWithReturn ? String(whole.unicodeScalars.dropLast()) : whole)
    }

    /// A text without C0 controls, DEL, C1 controls and bidirectional controls: each is shown as `\u001b`, which is
    /// also valid in JSON.
    ///
    /// With `keepsLines`, line ends and tabs are kept, CR LF as a line end; without it, they are shown too.
    static func harmless(_ text: String, keepsLines: Bool = true) -> String {
        guard text.unicodeScalars.contains(where: PeerText.steers) else { return text }
        var result = String.UnicodeScalarView()
        var scalars = text.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            if keepsLines, scalar == "\n" || scalar == "\t" {
                result.append(scalar)
            } else if keepsLines, scalar == "\r", scalars.first == "\n" {
                continue
            } else if PeerText.steers(scalar) {
                result.append(contentsOf: PeerText.visible(scalar).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// How many bytes at the end begin an incomplete character (RFC 3629 section 3).
    private static func incompleteCount(_ bytes: [UInt8]) -> Int {
        for count in 1...3 where count <= bytes.count {
            let byte = bytes[bytes.count - count]
            if byte & 0xC0 == 0x80 { continue }
            let length =
                switch byte {
                case 0xC2...0xDF: 2
                case 0xE0...0xEF: 3
                case 0xF0...0xF4: 4
                default: 1
                }
            return length > count ? count : 0
        }
        return 0
    }
}
