// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension JSONTokens {
    /// Valid JSON without its white space; everything else is unchanged.
    static func compact(_ bytes: [UInt8]) -> [UInt8] {
        var tokens = JSONTokens(bytes, maximumDepth: JSON.defaultMaximumDepth)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        while let token = tokens.next() { output += bytes[token.place] }
        return output
    }

    /// The first name that an object has twice, as it is written; `nil` if there is none.
    static func firstEqualName(in bytes: [UInt8]) -> String? {
        var tokens = JSONTokens(bytes, maximumDepth: JSON.defaultMaximumDepth)
        var names: [Set<String>] = []
        while let token = tokens.next() {
            switch token.kind {
            case .open: names.append([])
            case .close: _ = names.popLast()
            case .name:
                let name = String(decoding: bytes[token.place].dropFirst().dropLast(), as: UTF8.self)
                guard let last = names.indices.last, names[last].insert(name).inserted else { return name }
            case .colon, .comma, .string, .number, .word: break
            }
        }
        return nil
    }

    /// The warning about a name that an object has twice; `nil` if there is none.
    static func equalNameWarning(in bytes: [UInt8]) -> String? {
        firstEqualName(in: bytes).map { name in
            "cumulus: warning: an object has the name \(quoted(name)) more than once, and only its last value is used"
        }
    }
}
