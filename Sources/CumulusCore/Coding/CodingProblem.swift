// SPDX-License-Identifier: Apache-2.0

/// Why a coder can't do its work.
public struct CodingProblem: Error, Sendable, CustomStringConvertible {
    /// What was wrong, in words.
    public let description: String

    /// Describes a problem.
    public init(_ description: String) {
        self.description = PeerText.printable(description, limit: PeerText.longestMessage)
    }

    /// What each coder says that needs bytes and gets none.
    static let emptyBody = CodingProblem("the body is empty")
}

/// An error that knows at which byte the trouble is.
protocol LocatedProblem: Error {
    var offset: Int { get }
}

extension JSON.ParsingError: LocatedProblem {}

/// Where in a value the trouble is, for messages: `pets[1].age`.
enum CodingPlace {
    static func text(_ path: [any CodingKey]) -> String {
        let keys = path.map { key in
            key.intValue.map { "[\($0)]" } ?? ".\(PeerText.printable(key.stringValue, limit: 80))"
        }
        return keys.isEmpty ? "the top" : String(keys.joined().dropping("."))
    }
}
