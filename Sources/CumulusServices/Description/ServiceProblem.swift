// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A problem in a service's description, and its place.
public struct ServiceProblem: Error, Sendable, Hashable {
    /// The kinds of problem.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Unreadable bytes.
        case unreadable
        /// Something required is missing.
        case missing
        /// A value has the wrong type.
        case wrongType
        /// An unknown member, usually misspelled.
        case unknownMember
        /// Two items have the same name.
        case duplicate
        /// An invalid URL, name, method or number.
        case invalidValue
        /// A template that is invalid, or leads to a place that no request can reach.
        case invalidTemplate
        /// Two members contradict each other.
        case contradiction
    }

    /// The kind of problem.
    public let reason: Reason
    /// The place in the description: `endpoints[2].parameters[0].in`; empty for the whole.
    public let place: String
    /// The problem, in words.
    public let message: String

    init(_ reason: Reason, at place: String, _ message: String) {
        self.reason = reason
        self.place = place
        self.message = PeerText.printable(message, limit: PeerText.longestMessage)
    }
}

extension ServiceProblem: CustomStringConvertible {
    /// The place, and the message.
    public var description: String { place.isEmpty ? message : "\(place): \(message)" }
}

/// The reasons why a description was refused: all its problems.
public struct ServiceProblems: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problems in the description's order; never empty.
    public let problems: [ServiceProblem]

    /// One problem per line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
