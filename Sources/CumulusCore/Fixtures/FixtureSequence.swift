// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Responses that are given in sequence.
final class FixtureSequence: Sendable {
    private let answers: [Fixture]
    private let afterLast: Fixture.AfterLast
    private let calls = Mutex(0)

    init(_ answers: [Fixture], then afterLast: Fixture.AfterLast) {
        self.answers = answers
        self.afterLast = afterLast
    }

    var count: Int { answers.count }

    /// The next response; `nil` after the last, if the sequence then fails.
    func next() -> Fixture? {
        let index = calls.withLock { calls in
            defer { calls = min(calls + 1, answers.count) }
            return calls
        }
        if index < answers.count { return answers[index] }
        return afterLast == .repeats ? answers.last : nil
    }
}
