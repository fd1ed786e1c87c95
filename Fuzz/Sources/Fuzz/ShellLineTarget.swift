// SPDX-License-Identifier: Apache-2.0

@testable import Command

/// The words of a copied command, quoted and put on one line again, are the same words.
enum ShellLineTarget: FuzzTarget {
    static let name = "shell-line"

    static func check(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        do throws(UsageMistake) {
            let words = try ShellLine.words(of: text)
            let size = words.reduce(0) { $0 + $1.utf8.count }
            expect(size <= text.utf8.count, "\(text.utf8.count) bytes became \(size)")
            for line in [words.map(quoted), words.map(doubleQuoted)] {
                let again = (try? ShellLine.words(of: line.joined(separator: " "))) ?? []
                expect(bytes(again) == bytes(words), "\(words) came back as \(again)")
            }
        } catch {
            expect(!error.reason.utf8.contains { $0 < 0x20 }, "a mistake's reason has a control character")
        }
    }

    private static func quoted(_ word: String) -> String {
        "'" + word.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }

    private static func doubleQuoted(_ word: String) -> String {
        let special: Set<Unicode.Scalar> = ["\"", "\\", "$", "`"]
        return "\"" + word.unicodeScalars.map { special.contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
    }

    /// The bytes of words, since equal strings may have different ones.
    private static func bytes(_ words: [String]) -> [[UInt8]] { words.map { Array($0.utf8) } }
}
