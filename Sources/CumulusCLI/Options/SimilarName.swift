// SPDX-License-Identifier: Apache-2.0

/// Finds the probable meaning of a misspelled method or command.
enum SimilarName {
    /// A longer word isn't a misspelled name, and the distance takes time proportional to both lengths' product.
    private static let longest = 64
    private static let methods = ["get", "head", "post", "put", "patch", "delete", "options", "trace"]

    /// The method or command that differs from a word by at most two letters; `nil` if none does.
    static func of(_ word: String, amongMethods: Bool = true) -> String? {
        of(word, among: Subcommand.words + (amongMethods ? methods : []))
    }

    /// The name that differs from a word by at most two letters, or by case; `nil` if none does.
    static func of(_ word: String, among names: [String]) -> String? {
        guard word.utf8.count <= longest else { return nil }
        let word = word.lowercased()
        let found = names.prefix(1_000).filter { $0.utf8.count <= longest + 2 }.map {
            (name: $0, distance: distance(word, $0.lowercased()))
        }
        .min { $0.distance < $1.distance }
        guard let found, found.distance <= (found.name.utf8.count > 4 ? 2 : 1) else { return nil }
        return found.name
    }

    /// How many letters must be inserted, deleted, changed or swapped with the next to turn one word into the other.
    static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        var before: [Int] = []
        var last = Array(0...other.count)
        for (row, byte) in one.enumerated() {
            var next = [row + 1]
            for (column, wanted) in other.enumerated() {
                var best = min(last[column + 1] + 1, next[column] + 1, last[column] + (byte == wanted ? 0 : 1))
                if row > 0, column > 0, byte == other[column - 1], one[row - 1] == wanted {
                    best = min(best, before[column - 1] + 1)
                }
                next.append(best)
            }
            (before, last) = (last, next)
        }
        return last[other.count]
    }
}
