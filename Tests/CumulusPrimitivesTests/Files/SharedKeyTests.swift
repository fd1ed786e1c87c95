// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Foundation
import TestSupport
import Testing

/// The random key of a folder, which several processes share.
@Suite struct SharedKeyTests {
    private let folder: TemporaryFolder
    private let file: PrivateFile

    init() throws {
        folder = try TemporaryFolder()
        file = PrivateFile(folder.path + "/key")
    }

    private var names: [String] { FilePath.names(inDirectory: folder.path).sorted() }

    @Test func keyIsMadeOnce() throws {
        let key = try file.sharedKey(size: 32)
        #expect(key.count == 32)
        #expect(try file.sharedKey(size: 32) == key)
        #expect(try file.read() == key)
        #expect(names == ["key"])
    }

    @Test func tasksThatBeginTogetherShareAKey() async throws {
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { [file] group in
            for _ in 0..<20 { group.addTask { try file.sharedKey() } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(names == ["key"])
    }

    @Test(arguments: [0, 31, 33]) func keyOfAnotherSizeIsReplaced(size: Int) throws {
        try file.write([UInt8](repeating: 7, count: size))
        let key = try file.sharedKey(size: 32)
        #expect(key.count == 32)
        #expect(try file.read() == key)
    }

    @Test func draftsOfEndedProcessesAreRemoved() throws {
        let own = "key.\(ProcessInfo.processInfo.processIdentifier).1.new"
        for name in ["key.2000000000.new", "key.2000000000.7.new", "key.x.new", "key.2000000000.7", own] {
            _ = try folder.write("x", to: name)
        }
        _ = try file.sharedKey()
        #expect(names == ["key", "key.2000000000.7", own, "key.x.new"].sorted())
    }

    @Test func keyThatOthersCanReadIsRefused() throws {
        _ = try folder.write(String(repeating: "k", count: 32), to: "key")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path + "/key")
        #expect(throws: FileFailure.self) { try file.sharedKey() }
    }
}
