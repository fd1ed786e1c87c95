// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Foundation
import TestSupport
import Testing

/// Files that only their owner reads, and what is refused in their place.
@Suite struct PrivateFileTests {
    @Test func whatIsWrittenIsReadAndOnlyByItsOwner() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/deep/er/secret"
        let file = PrivateFile(path)
        #expect(try file.read() == nil)
        try file.write([1, 2, 3])
        try file.write([4])
        #expect(try file.read() == [4])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/deep/er") == ["secret"])
        try file.remove()
        try file.remove()
        #expect(try file.read() == nil)
    }

    @Test func writingReturnsTheNewFile() throws {
        let folder = try TemporaryFolder()
        let file = PrivateFile(folder.path + "/secret")
        let first = try file.write([1])
        #expect(first == FileIdentity(at: file.path))
        let second = try file.write([1])
        #expect(second == FileIdentity(at: file.path))
        #expect(second != first)
    }

    @Test func aFailureNamesOperationFileAndReason() throws {
        let folder = try TemporaryFolder()
        let plain = try folder.write("x", to: "plain")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: plain)
        let link = #expect(throws: FileFailure.self) { try PrivateFile(folder.path + "/link").read() }
        #expect(
            link?.description
                == "can't read \"\(folder.path)/link\": it is a symbolic link; use the path of the file itself"
        )
        let directory = #expect(throws: FileFailure.self) { try PrivateFile(folder.path).read() }
        #expect(directory?.description.hasSuffix("it is a directory") == true)
        let below = #expect(throws: FileFailure.self) { try PrivateFile(plain + "/below").write([1]) }
        #expect(below?.operation == "make" && below?.errorNumber == EEXIST || below?.errorNumber == ENOTDIR)
    }

    @Test func anotherHolderKeepsTheLockUntilItReleasesIt() throws {
        let folder = try TemporaryFolder()
        let path = FilePath(folder.path, "a.lock")
        let (first, second) = (try FileLock(path), try FileLock(path))
        #expect(try first.take())
        #expect(try !second.take())
        first.release()
        #expect(try second.take())
    }

    @Test func anOpenedFileSaysWhatItIsNot() throws {
        let folder = try TemporaryFolder()
        func kind(_ path: String) -> OpenedFile.Refusal.Kind? {
            do throws(OpenedFile.Refusal) {
                _ = try OpenedFile(path).size()
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(kind(try folder.write("x", to: "plain")) == nil)
        #expect(kind(folder.path + "/none") == .missing)
        #expect(kind(folder.path) == .notPlain)
        #expect(kind("/proc/self/status") == .notPlain || !FileManager.default.fileExists(atPath: "/proc"))
        #expect(kind(folder.path + "/plain\0x") == .unreadable)
    }
}
