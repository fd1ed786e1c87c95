// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Adapts arguments for ArgumentParser, which reads `--name=` as an option without its value, so that it takes the next
/// word, and `-1` as an option.
enum ArgumentSpelling {
    /// The same arguments, with each empty or negative value attached to its option.
    static func mended(_ arguments: [String]) -> [String] {
        var result: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" { return result + [word] + rest }
            if word.utf8.starts(with: "--".utf8), !word.has(anyOf: "=") {
                if let next = rest.first, isNegative(next) {
                    result.append("\(word)=\(next)")
                    rest = rest.dropFirst()
                    continue
                }
            } else if word.utf8.starts(with: "--".utf8), let (name, value) = word.split(at: "="), value.isEmpty {
                result += [name, ""]
                continue
            }
            result.append(word)
        }
        return result
    }

    /// Refuses `--json=`: the empty value would be read as the next word.
    ///
    /// - Throws: ``UsageMistake``.
    static func checkFlags(_ arguments: [String]) throws(UsageMistake) {
        var words: [String] = []
        for word in arguments {
            if word == "--" { break }
            if word.begins(with: "--"), word.ends(with: "=") { words.append(word) }
        }
        guard !words.isEmpty else { return }
        let first = arguments.first.flatMap { SimilarName.commands.contains($0) ? HelpTopic(rawValue: $0) : nil }
        guard let command = (first ?? .request).command else { return }
        let flags = OptionListing(command).options.filter { $0.value == nil }.flatMap(\.names)
        guard let name = words.map({ String($0.dropLast()) }).first(where: flags.contains) else { return }
        throw UsageMistake("\(name) does not take any value", hint: "write \(name)")
    }

    /// Whether a word is a negative number, and not the option -4 or -6, alone or with others as in -4v.
    private static func isNegative(_ word: String) -> Bool {
        let digits = word.utf8.dropFirst()
        guard word.utf8.first == UInt8(ascii: "-"), let first = digits.first, isOfNumber(first) else { return false }
        if first != UInt8(ascii: "4"), first != UInt8(ascii: "6") { return true }
        return digits.dropFirst().first.map(isOfNumber) ?? false
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ".")
    }
}
