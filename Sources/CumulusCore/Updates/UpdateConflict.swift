// SPDX-License-Identifier: Apache-2.0

/// Someone else changed the document each time: the cause of an error with ``CumulusError/Code/conflict``.
public struct UpdateConflict: Error, Sendable, Hashable {
    /// How often the document was fetched and its change was refused.
    public let rounds: Int
    /// The entity tag that guarded the last change.
    public let entityTag: String

    package init(rounds: Int, entityTag: String) {
        self.rounds = rounds
        self.entityTag = entityTag
    }
}

extension UpdateConflict: CodedProblem {
    var code: CumulusError.Code { .conflict }

    /// What happened, in words.
    public var description: String {
        let times = rounds == 1 ? "" : ", \(rounds) times"
        return "the document was changed by somebody else before its change could be written\(times)"
    }
}
