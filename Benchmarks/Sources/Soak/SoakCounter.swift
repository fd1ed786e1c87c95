// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Gives each number of a range to one caller.
final class SoakCounter: Sendable {
    private let next: Atomic<Int>
    private let end: Int

    init(_ numbers: Range<Int>) {
        next = Atomic(numbers.lowerBound)
        end = numbers.upperBound
    }

    func take() -> Int? {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return number < end ? number : nil
    }
}
