// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCLI

@Suite struct PagedOutputTests {
    @Test func notesBehindAPagerAreLimited() throws {
        let memory = MemoryConsole()
        let pages = PagedOutput(Pager(command: "none"), console: memory.console)
        let line = String(repeating: "x", count: 1_024)
        for _ in 0..<1_030 { pages.paged.note(line) }
        #expect(memory.notes.isEmpty)
        try pages.finish()
        #expect(memory.notes.count == 1_025 && memory.notes.last == "cumulus: note: 6 more lines are not shown")
    }
}
