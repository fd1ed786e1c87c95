// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A stub's or a fixture's responses, given one after the other.
final class AnswerSequence<Answer: Sendable>: Sendable {
    private let answers: [Answer]
    private let repeatsLast: Bool
    private let calls = Mutex(0)

    init(_ answers: [Answer], repeatsLast: Bool = true) {
        self.answers = answers
        self.repeatsLast = repeatsLast
    }

    var count: Int { answers.count }

    /// The next response; `nil` after the last, unless that is repeated.
    func next() -> Answer? {
        let index = calls.withLock { calls in
            defer { calls = min(calls + 1, answers.count) }
            return calls
        }
        if index < answers.count { return answers[index] }
        return repeatsLast ? answers.last : nil
    }
}
