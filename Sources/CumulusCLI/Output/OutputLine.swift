// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Records whether standard output ends in the middle of a line, so that text on standard error begins a new line if
/// both go to the same terminal, pipe or file.
final class OutputLine: Sendable {
    private let isShared: Bool
    private let isOpen = Atomic(false)

    init(isShared: Bool) { self.isShared = isShared }

    /// Records written bytes.
    func note(_ bytes: [UInt8]) {
        guard isShared, let last = bytes.last else { return }
        isOpen.store(last != UInt8(ascii: "\n"), ordering: .relaxed)
    }

    /// The line end that is needed, if any.
    func end() -> String { isOpen.exchange(false, ordering: .relaxed) ? "\n" : "" }
}
