// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// `-o` with a file that exists: it is replaced by a whole body only.
@Suite(.timeLimit(.minutes(10))) struct ReplacingFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes the body of an answer with the system's files.
    private func save(
        to path: String,
        _ steps: [StubResponse.Step],
        type: String = "application/octet-stream"
    ) async -> (status: CommandStatus, notes: [String]) {
        let memory = MemoryConsole()
        var console = memory.console
        let system = Console.system()
        console.create = system.create
        console.replace = system.replace
        console.checkCreation = system.checkCreation
        let transport = StubTransport { _ in .script(steps, headers: [.contentType: type]) }
        let command = CommandRun(console, makeTransport: { _ in transport })
        return (await command.run(["-o", path, "get", "https://a.example/x"]), memory.notes)
    }

    private static let whole: [StubResponse.Step] = [.chunk(Array("new".utf8)), .chunk(Array("er".utf8))]
    private static let broken: [StubResponse.Step] = [
        .chunk(Array("new".utf8)), .fail(TransportFailure(.truncated, "it broke off", fate: .unknown)),
    ]

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("A broken body leaves the file as it was") func kept() async throws {
        let path = try folder.write("old", to: "f")
        let end = await save(to: path, Self.broken)
        #expect(end.status != .success)
        #expect(end.notes.contains { $0.contains("is unchanged: the body is incomplete") }, "\(end.notes)")
        #expect(try folder.bytes("f") == Array("old".utf8))
        #expect(folder.names == ["f"])
    }

    @Test("A whole body replaces it, with its permissions") func replaced() async throws {
        let path = try folder.write("older and longer", to: "f")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let end = await save(to: path, Self.whole)
        #expect(end.status == .success && end.notes.isEmpty, "\(end.notes)")
        #expect(try folder.bytes("f") == Array("newer".utf8))
        let mode = try mode(path)
        #expect(mode == 0o640)
        #expect(folder.names == ["f"])
    }

    @Test("A symbolic link stays, and the file that it leads to is replaced", arguments: [true, false])
    func link(isWhole: Bool) async throws {
        _ = try folder.write("old", to: "f")
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "f")
        _ = await save(to: link, isWhole ? Self.whole : Self.broken)
        #expect(try folder.bytes("f") == Array((isWhole ? "newer" : "old").utf8))
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: link)
        #expect(target == "f")
        #expect(folder.names == ["f", "link"])
    }

    @Test("A file with two names is written to, and stays one file") func twoNames() async throws {
        let path = try folder.write("old", to: "f")
        try FileManager.default.linkItem(atPath: path, toPath: folder.path + "/g")
        _ = await save(to: path, Self.whole)
        #expect(try folder.bytes("g") == Array("newer".utf8))
        #expect(folder.names == ["f", "g"])
    }

    @Test("A new file keeps what came, and so does one of events", arguments: ["text/plain", "text/event-stream"])
    func direct(type: String) async throws {
        let isNew = type == "text/plain"
        let path = isNew ? folder.path + "/f" : try folder.write("old", to: "f")
        let end = await save(to: path, Self.broken, type: type)
        #expect(end.status != .success)
        #expect(end.notes.contains { $0.contains(" is incomplete") }, "\(end.notes)")
        #expect(!end.notes.contains { $0.contains("unchanged") })
        #expect(try folder.bytes("f") == Array("new".utf8))
    }

    @Test("A device is written to") func device() async throws {
        let end = await save(to: "/dev/null", Self.whole)
        #expect(end.status == .success && end.notes.isEmpty, "\(end.notes)")
        #expect(ReplacingFile("/dev/null") == nil)
    }

    @Test("It ends once") func ends() throws {
        let path = try folder.write("old", to: "f")
        let file = try #require(ReplacingFile(path))
        try file.write(Array("new".utf8))
        #expect(folder.names.count == 2)
        try file.commit()
        file.discard()
        try file.commit()
        #expect(try folder.bytes("f") == Array("new".utf8))
        let other = try #require(ReplacingFile(path))
        try other.write([1])
        other.discard()
        #expect(try folder.bytes("f") == Array("new".utf8))
        #expect(folder.names == ["f"])
    }
}
