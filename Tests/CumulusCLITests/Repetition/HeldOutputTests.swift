// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import CumulusCLI

@Suite struct HeldOutputTests {
    @Test func outputAndNotesKeepTheirOrder() throws {
        let (memory, held) = (MemoryConsole(), HeldOutput())
        let console = held.console(instead: memory.console)
        try console.write(Array("a".utf8))
        try console.write(Array("b\n".utf8))
        console.note("first")
        console.note("second")
        try console.write(Array("c\n".utf8))
        #expect(memory.output.isEmpty && memory.notes.isEmpty)
        var printing = memory.console
        printing.note = { memory.console.note("\($0) after \(memory.output.utf8.count)") }
        try held.print(to: printing)
        #expect(memory.output == "ab\nc\n" && memory.notes == ["first after 3", "second after 3"])
    }

    @Test func fileIsReplacedOnlyWhenTheTryIsPrinted() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "x")
        var system = MemoryConsole().console
        system.replace = { OutputFile(replacing: $0) }
        func hold(_ text: String) throws -> HeldOutput {
            let held = HeldOutput()
            let file = try #require(held.console(instead: system).replace(path))
            try file.write(Array(text.utf8))
            try file.close()
            return held
        }
        let held = try hold("running")
        held.discard()
        #expect(try folder.bytes("x") == Array("old".utf8) && folder.names == ["x"])
        try hold("done").print(to: system)
        #expect(try folder.bytes("x") == Array("done".utf8) && folder.names == ["x"])
    }

    @Test func notesCountTowardsTheLimit() throws {
        let (memory, held) = (MemoryConsole(), HeldOutput())
        let console = held.console(instead: memory.console)
        let line = String(repeating: "x", count: 1 << 20)
        for _ in 0..<63 { console.note(line) }
        #expect(!held.isTooLong)
        for _ in 0..<9 { console.note(line) }
        #expect(held.isTooLong)
        #expect(throws: JSONFilter.Unreadable.self) { try console.write([0x61]) }
        try held.print(to: memory.console)
        #expect(memory.notes.count == 63)
    }
}
