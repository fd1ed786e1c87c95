// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A problem in a service's description, and its location.
public struct ServiceProblem: Error, Sendable, Hashable {
    /// The kinds of problem.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The bytes are unreadable.
        case unreadable
        /// Something required is missing.
        case missing
        /// A value has the wrong type.
        case wrongType
        /// A member is unknown, usually because it is misspelled.
        case unknownMember
        /// Two items have the same name.
        case duplicate
        /// A URL, name, method or number is invalid.
        case invalidValue
        /// A template is invalid, or leads to a URL that no request can reach.
        case invalidTemplate
        /// Two members contradict each other.
        case contradiction
    }

    /// The kind of problem.
    public let reason: Reason
    /// The location in the description: `endpoints[2].parameters[0].in`; empty for the whole description.
    public let place: String
    /// A description of the problem.
    public let message: String

    init(_ reason: Reason, at place: String, _ message: String) {
        self.reason = reason
        self.place = place
        self.message = PeerText.printable(message, limit: PeerText.longestMessage)
    }
}

extension ServiceProblem: CustomStringConvertible {
    /// The location and the message.
    public var description: String { place.isEmpty ? message : "\(place): \(message)" }
}

/// The reasons why a description was refused: all of its problems.
public struct ServiceProblems: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problems in the description's order; never empty.
    public let problems: [ServiceProblem]

    /// One problem per line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
