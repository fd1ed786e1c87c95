// SPDX-License-Identifier: Apache-2.0

/// How requests ended.
struct SoakTally: Sendable {
    private(set) var ends: [String: Int] = [:]
    private(set) var ended = 0
    private(set) var wrong = 0

    mutating func note(_ end: SoakRequest.End) {
        ended += 1
        ends[end.name, default: 0] += 1
        if case .wrong(let what) = end {
            wrong += 1
            print("wrong: \(what)")
        }
    }

    mutating func add(_ other: SoakTally) {
        ended += other.ended
        wrong += other.wrong
        ends.merge(other.ends, uniquingKeysWith: +)
    }
}
