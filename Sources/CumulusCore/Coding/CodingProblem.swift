// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The reason why a coder can't encode or decode a value.
public struct CodingProblem: Error, Sendable, CustomStringConvertible {
    /// A description of the problem.
    public let description: String

    /// Creates a problem.
    public init(_ description: String) {
        self.description = PeerText.printable(description, limit: PeerText.longestMessage)
    }

    /// The error of a coder that needs bytes but receives none.
    public static let emptyBody = CodingProblem("the body is empty")
}

/// A coder's error that reports the offset of the byte at which it occurred; ``DecodingProblem/excerpt`` begins near
/// that byte.
public protocol LocatedProblem: Error {
    /// The offset of the byte in the body, counted from 0.
    var offset: Int { get }
}

extension JSON.ParsingError: LocatedProblem {}

/// The place in a value at which a problem occurred, for messages: `pets[1].age`.
enum CodingPath {
    static func text(_ path: [any CodingKey]) -> String {
        let keys = path.map { key in
            key.intValue.map { "[\($0)]" } ?? ".\(PeerText.printable(key.stringValue, limit: 80))"
        }
        return keys.isEmpty ? "the top" : String(keys.joined().dropping("."))
    }
}
