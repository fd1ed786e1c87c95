// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Answers that are given one after the other.
final class FixtureSequence: Sendable {
    private let answers: [Fixture]
    private let afterLast: Fixture.AfterLast
    private let calls = Mutex(0)

    init(_ answers: [Fixture], then afterLast: Fixture.AfterLast) {
        self.answers = answers
        self.afterLast = afterLast
    }

    var count: Int { answers.count }

    /// The next answer; `nil` after the last, where that is to fail.
    func next() -> Fixture? {
        let index = calls.withLock { calls in
            defer { calls = min(calls + 1, answers.count) }
            return calls
        }
        if index < answers.count { return answers[index] }
        return afterLast == .repeats ? answers.last : nil
    }
}
