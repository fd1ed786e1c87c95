// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a service's description, and where.
public struct ServiceProblem: Error, Sendable, Hashable {
    /// What kind of problem it is.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Bytes that can't be read at all.
        case unreadable
        /// Something is not there that has to be.
        case missing
        /// A value is of another kind than it has to be.
        case wrongType
        /// A member that descriptions don't have: most often one that is misspelled.
        case unknownMember
        /// Two of one name.
        case duplicate
        /// A URL, name, method or number that can't be used.
        case invalidValue
        /// A template that can't be read, or leads if no request can go.
        case invalidTemplate
        /// Two things that can't both be.
        case contradiction
    }

    /// What kind of problem it is.
    public let reason: Reason
    /// Where in the description: `endpoints[2].parameters[0].in`; empty for the whole.
    public let place: String
    /// What is wrong, in words.
    public let message: String

    init(_ reason: Reason, at place: String, _ message: String) {
        self.reason = reason
        self.place = place
        self.message = PeerText.printable(message, limit: PeerText.longestMessage)
    }
}

extension ServiceProblem: CustomStringConvertible {
    /// Where, and what.
    public var description: String { place.isEmpty ? message : "\(place): \(message)" }
}

/// Why a description was refused: everything that is wrong with it.
public struct ServiceProblems: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problems in the order in which they stand in the description; never empty.
    public let problems: [ServiceProblem]

    /// One problem a line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
