// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import TestSupport
import Testing

@testable import CumulusTesting

/// Two programs that write to one file, as two descriptors of one process do.
@Suite(.timeLimit(.minutes(5))) struct HARWritersTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = "\(folder.path)/session.har"
    }

    /// An entry of 20,000 bytes, which takes a moment to write.
    private func entry(_ letter: String) -> [UInt8] {
        Array(#"{"url":"\#(String(repeating: letter, count: 20_000))"}"#.utf8)
    }

    /// The first letters of the file's entries.
    private func entries() throws -> [String] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let all = try #require(try JSON(parsing: bytes)["log"]["entries"].array)
        return all.compactMap { $0["url"].string.map { String($0.prefix(1)) } }
    }

    /// Adds an entry, and returns whether that succeeded.
    private func adds(_ letter: String, to file: HARFile) -> Bool {
        var file = file
        do throws(RecordingProblem) {
            try file.add([entry(letter)])
            return true
        } catch {
            return false
        }
    }

    @Test("of two that write at the same moment, one adds its entry and the other one reports it")
    func simultaneousEntries() async throws {
        for round in 1...100 {
            try? FileManager.default.removeItem(atPath: path)
            var file = HARFile(path, replacing: nil)
            try file.add([entry("a")])
            let shared = file
            let added = await withTaskGroup(of: (String, Bool).self) { group in
                for letter in ["b", "c"] { group.addTask { (letter, adds(letter, to: shared)) } }
                return await group.reduce(into: [String]()) { if $1.1 { $0.append($1.0) } }
            }
            #expect(added.count == 1, "round \(round)")
            #expect(try entries() == ["a"] + added, "round \(round)")
        }
    }

    @Test func fileThatAnotherHasReplacedIsNotAdopted() throws {
        var first = HARFile(path, replacing: nil)
        try first.add([entry("a")])
        var second = HARFile(path, replacing: nil)
        try second.add([entry("b")])
        #expect(throws: RecordingProblem.self) { try first.add([entry("c")]) }
        #expect(try entries() == ["b"])
    }
}
