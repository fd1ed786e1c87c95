// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A number that identifies a request within this process.
public struct CallID: Sendable, Hashable, Comparable, CustomStringConvertible {
    private static let latest = Atomic<UInt64>(0)

    /// The request's number; later requests have greater numbers.
    public let number: UInt64

    /// The next number.
    static func next() -> CallID {
        CallID(number: latest.add(1, ordering: .relaxed).newValue)
    }

    /// Whether the left request was made earlier.
    public static func < (left: CallID, right: CallID) -> Bool { left.number < right.number }

    /// The number.
    public var description: String { "\(number)" }
}
