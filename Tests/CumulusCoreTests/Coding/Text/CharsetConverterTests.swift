// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

@Suite struct CharsetConverterTests {
    private func convert(_ text: String, to target: String) throws -> [UInt8] {
        try Array(text.utf8).withUnsafeBytes { try CharsetConverter(from: "UTF-8", to: target).convert($0) }
    }

    /// As Apple's `iconv` does for every charset, glibc's replaces characters for this suffix, and counts them.
    @Test("A character that the C library would replace is refused")
    func replacementIsRefused() throws {
        #expect(try convert("plain", to: "ASCII//TRANSLIT") == Array("plain".utf8))
        let problem = #expect(throws: CharsetProblem.self) { try convert("5 €", to: "ASCII//TRANSLIT") }
        #expect(problem?.description.contains("can't represent a character in the text") == true)
    }
}
