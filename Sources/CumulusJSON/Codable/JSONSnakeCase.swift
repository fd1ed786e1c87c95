// SPDX-License-Identifier: Apache-2.0

/// Converts between `snake_case` and `camelCase`, with the rules of Foundation's JSON coders.
enum JSONSnakeCase {
    /// `one_two_three` becomes `oneTwoThree`; underscores at either end are kept.
    static func camelCase(_ key: String) -> String {
        guard let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" }) else {
            return key
        }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1 else { return key }
        let joined = words[0].lowercased() + words.dropFirst().map { capitalized($0) }.joined()
        return key[..<first] + joined + key[key.index(after: last)...]
    }

    private static func capitalized(_ word: Substring) -> String {
        word.prefix(1).uppercased() + word.dropFirst().lowercased()
    }

    /// `oneTwoThree` becomes `one_two_three`; a run of capitals is one word, whose last letter may start the next.
    ///
    /// The first letter counts as lowercase, as in Foundation: `URL` becomes `u_rl`.
    static func snakeCase(_ key: String) -> String {
        var result = ""
        let characters = Array(key)
        for (index, character) in characters.enumerated() {
            let afterUpper = index > 1 && characters[index - 1].isUppercase
            let beforeLower = index + 1 < characters.count && characters[index + 1].isLowercase
            if index > 0, character.isUppercase, !afterUpper || beforeLower { result += "_" }
            result += character.lowercased()
        }
        return result
    }
}
