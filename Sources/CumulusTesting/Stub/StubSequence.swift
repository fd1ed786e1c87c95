// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Responses that are used one after the other; the last one is repeated.
final class StubSequence: Sendable {
    private let answers: Mutex<[StubAnswer]>

    init(_ answers: [StubAnswer]) { self.answers = Mutex(answers) }

    func next() -> StubAnswer? {
        answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
    }
}
