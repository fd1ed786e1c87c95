// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Remembers whether standard output ends in the middle of a line, so that what is told on standard error begins a line
/// of its own where both are the same terminal, pipe or file.
final class OutputLine: Sendable {
    private let isShared: Bool
    private let isOpen = Atomic(false)

    init(isShared: Bool) { self.isShared = isShared }

    /// Takes note of what was written.
    func note(_ bytes: [UInt8]) {
        guard isShared, let last = bytes.last else { return }
        isOpen.store(last != UInt8(ascii: "\n"), ordering: .relaxed)
    }

    /// What ends the line, where it must be ended.
    func end() -> String { isOpen.exchange(false, ordering: .relaxed) ? "\n" : "" }
}
