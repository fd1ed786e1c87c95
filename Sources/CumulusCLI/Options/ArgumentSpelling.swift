// SPDX-License-Identifier: Apache-2.0

/// Arguments spelled so that the parser beneath reads what was written: it takes `--name=` for an option without its
/// value, which would swallow the next word, and `-1` for an option.
enum ArgumentSpelling {
    /// The same arguments, with each empty and each negative value kept at its option.
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
