// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Answers given out one after the other; the last stays.
final class StubSequence: Sendable {
    private let answers: Mutex<[StubAnswer]>

    init(_ answers: [StubAnswer]) { self.answers = Mutex(answers) }

    func next() -> StubAnswer? {
        answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
    }
}
