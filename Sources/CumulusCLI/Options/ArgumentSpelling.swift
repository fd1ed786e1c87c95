// SPDX-License-Identifier: Apache-2.0

/// Adapts arguments for ArgumentParser, which reads `--name=` as an option without its value, so that it takes the next
/// word, and `-1` as an option.
enum ArgumentSpelling {
    /// The same arguments, with each empty or negative value attached to its option.
    static func mended(_ arguments: [String]) -> [String] {
        var result: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" { return result + [word] + rest }
            if word.utf8.starts(with: "--".utf8), !word.hasByte("=") {
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

    private static func isNegative(_ word: String) -> Bool {
        guard word.utf8.first == UInt8(ascii: "-"), let next = word.utf8.dropFirst().first else { return false }
        return UInt8(ascii: "0")...UInt8(ascii: "9") ~= next || next == UInt8(ascii: ".")
    }
}
