// SPDX-License-Identifier: Apache-2.0

/// The words of a long command line that are kept from ArgumentParser, whose time grows with their number's square.
struct HeldWords {
    /// The arguments, with a mark in place of each run of held words.
    private(set) var arguments: [String] = []
    private var runs: [[String]] = []

    /// Holds the words that no option can take as its value.
    init(_ given: [String]) {
        // How many of the next words may be values: one for each letter of -abc.
        var values = 0
        var isEnded = false
        var isHeld = false
        for word in given {
            if !isEnded, word.utf8.first == UInt8(ascii: "-") {
                isEnded = word == "--"
                values = word.utf8.starts(with: "--".utf8) ? 1 : max(1, word.utf8.count - 1)
            } else if isEnded || values == 0 {
                if !isHeld {
                    arguments.append(HeldWords.mark(runs.count))
                    runs.append([])
                }
                runs[runs.count - 1].append(word)
                isHeld = true
                continue
            } else {
                values -= 1
            }
            isHeld = false
            arguments.append(word)
        }
    }

    /// The parsed words, with the held ones in their places.
    func restored(_ words: [String]) -> [String] {
        if runs.isEmpty { return words }
        var marks: [String: Int] = [:]
        for index in runs.indices { marks[HeldWords.mark(index)] = index }
        return words.flatMap { word in marks[word].map { runs[$0] } ?? [word] }
    }

    /// No argument of a process contains a NUL.
    private static func mark(_ index: Int) -> String { "\0\(index)" }
}
