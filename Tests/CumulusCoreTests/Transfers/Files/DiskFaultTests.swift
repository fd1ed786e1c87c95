// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// Faulty disks and directories, and other people's files.
@Suite(.timeLimit(.minutes(10))) struct DiskFaultTests {
    private static let needsRoot: Comment = "only root can make a file system for a test"

    // MARK: Links and others' files

    @Test(
        "a symbolic link at the part file's place is refused, and its target unchanged",
        arguments: [false, true]
    )
    func linkAtPart(dangling: Bool) async throws {
        let bench = try DownloadBench()
        let victim = bench.folder.path + "/victim"
        if !dangling { _ = try bench.folder.write("mine", to: "victim") }
        try FileManager.default.createSymbolicLink(atPath: bench.part, withDestinationPath: victim)
        let error = try await bench.failure()
        #expect(error.code == .disk)
        #expect(error.message.contains("symbolic link"))
        #expect(bench.bytes(victim) == (dangling ? nil : Array("mine".utf8)))
        #expect(!bench.exists(bench.path))
        #expect(bench.exists(bench.part))
    }

    @Test(
        "a symbolic link at the destination is an existing file; the link itself is replaced",
        arguments: [false, true]
    )
    func linkAtTarget(dangling: Bool) async throws {
        let bench = try DownloadBench()
        let victim = bench.folder.path + "/victim"
        if !dangling { _ = try bench.folder.write("mine", to: "victim") }
        try FileManager.default.createSymbolicLink(atPath: bench.path, withDestinationPath: victim)
        #expect(try await bench.failure().code == .fileExists)
        _ = try await bench.download(DownloadOptions(existing: .replace))
        #expect(bench.bytes(victim) == (dangling ? nil : Array("mine".utf8)))
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(throws: (any Error).self) {
            try FileManager.default.destinationOfSymbolicLink(atPath: bench.path)
        }
    }

    /// The destination of a symbolic link.
    enum LinkTarget: String, Sendable, CaseIterable {
        case pipe, device, directory, descriptor

        var reason: String { self == .directory ? "it is a directory" : "it is not a regular file" }
    }

    @Test(
        "a link to a pipe, a device or a directory is refused like these, and nothing is sent",
        arguments: LinkTarget.allCases
    )
    func linkToNoFile(kind: LinkTarget) async throws {
        let bench = try DownloadBench()
        let other = bench.folder.path + "/other"
        var target = other
        let open = try FileHandle(forReadingFrom: URL(fileURLWithPath: try bench.folder.write("mine", to: "mine")))
        switch kind {
        case .pipe: #expect(mkfifo(other, 0o600) == 0)
        case .device: target = "/dev/null"
        case .directory: try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        // Such as `/dev/stdout`, even if the descriptor is a regular file's.
        case .descriptor: target = "/dev/fd/\(open.fileDescriptor)"
        }
        try FileManager.default.createSymbolicLink(atPath: bench.path, withDestinationPath: target)
        let error = try await bench.failure(DownloadOptions(existing: .replace))
        #expect(error.code == .disk && error.message.contains(kind.reason), "\(error)")
        #expect(bench.remote.seen.isEmpty)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: bench.path) == target)
        // The server names the file in a directory.
        let named = DownloadDestination.directory(bench.folder.path)
        let late = try await failure {
            try await bench.resource.download(to: named, options: DownloadOptions(existing: .replace))
        }
        #expect(late.code == .disk && late.message.contains(kind.reason), "\(late)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: bench.path) == target)
        withExtendedLifetime(open) {}
    }

    @Test("a part file with another name loses only this one")
    func hardLink() async throws {
        let bench = try DownloadBench()
        let other = try bench.folder.write("mine", to: "other")
        try FileManager.default.linkItem(atPath: other, toPath: bench.part)
        _ = try await bench.download()
        #expect(bench.bytes(other) == Array("mine".utf8))
        #expect(bench.bytes() == bench.remote.bytes)
    }

    @Test("a directory at the file's place, or the part file's, is left unchanged", arguments: [false, true])
    func directory(isPart: Bool) async throws {
        let bench = try DownloadBench()
        let name = isPart ? bench.partName : "data.bin"
        _ = try bench.folder.write("mine", to: "\(name)/inside")
        let error = try await bench.failure(DownloadOptions(existing: .replace))
        #expect(error.code == .disk)
        #expect(bench.bytes("\(bench.folder.path)/\(name)/inside") == Array("mine".utf8))
        #expect(bench.names == [name])
    }

    @Test("anything but a regular file is not replaced; a replaced file's permissions are kept")
    func special() async throws {
        let bench = try DownloadBench()
        #expect(mkfifo(bench.path, 0o600) == 0)
        let error = try await bench.failure(DownloadOptions(existing: .replace))
        #expect(error.code == .disk && error.message.contains("not a regular file"))
        #expect(bench.names == ["data.bin"] && bench.remote.seen.isEmpty)
        #expect(unlink(bench.path) == 0)
        _ = try bench.folder.write("mine", to: "data.bin")
        #expect(chmod(bench.path, 0o600) == 0)
        _ = try await bench.download(DownloadOptions(existing: .replace))
        #expect(bench.bytes() == bench.remote.bytes)
        let facts = try FileManager.default.attributesOfItem(atPath: bench.path)
        #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("a failed download removes its own files and no other")
    func removesItsOwn() async throws {
        let bench = try DownloadBench()
        for name in ["data.bin.part1", "data.bin.txt", "other.part"] { _ = try bench.folder.write("mine", to: name) }
        bench.remote.change { $0.breaks = [1, 0, 0] }
        _ = try await bench.failure()
        #expect(bench.names == ["data.bin.part1", "data.bin.txt", "other.part"])
    }

    // MARK: Locks

    @Test("of two downloads to one file, one is refused, and the other is complete", arguments: [false, true])
    func twoAtOnce(resume: Bool) async throws {
        let bench = try DownloadBench()
        let gate = Gate()
        let bytes = bench.remote.bytes
        bench.remote.change { state in
            state.twists = [
                { _, _ in
                    .script(
                        [.chunk(Array(bytes[..<10])), .gate(gate), .chunk(Array(bytes[10...]))],
                        headers: [.contentLength: "100000", .eTag: "\"v1\""]
                    )
                }
            ]
        }
        let options = DownloadOptions(resume: resume)
        let first = Task { try await bench.download(options) }
        try await eventually { bench.exists(bench.part) }
        let error = try await bench.failure(options)
        #expect(error.code == .fileInUse)
        gate.open()
        #expect(try await first.value.byteCount == 100_000)
        #expect(bench.bytes() == bytes)
        #expect(bench.names == ["data.bin"])
    }

    @Test(
        "another process's lock is detected, too",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/flock"))
    )
    func anotherProcess() async throws {
        let bench = try DownloadBench()
        _ = try bench.folder.write("theirs", to: bench.partName)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        let (input, output) = (Pipe(), Pipe())
        process.arguments = [bench.part, "sh", "-c", "echo ready; read line"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = output.fileHandleForReading.readData(ofLength: 6)
        #expect(try await bench.failure().code == .fileInUse)
        #expect(bench.bytes(bench.part) == Array("theirs".utf8))
        input.fileHandleForWriting.write(Data("\n".utf8))
        process.waitUntilExit()
        #expect(try await bench.download().byteCount == 100_000)
    }

    // MARK: Space and permission

    @Test("a full disk is detected before the first byte", .enabled(if: TinyDisk.isPossible, needsRoot))
    func fullDisk() async throws {
        let bench = try DownloadBench()
        let disk = try TinyDisk(kilobytes: 64)
        let error = try await failure { try await bench.resource.download(to: .file(disk.path + "/data.bin")) }
        #expect(error.code == .disk)
        #expect((error.cause as? FileProblem)?.errorNumber == ENOSPC)
        #expect(error.message.contains("No space left"))
        #expect(bench.transport.cancelledBodies == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
    }

    @Test(
        "a disk that fills up during the download ends it; received bytes may be kept",
        .enabled(if: TinyDisk.isPossible, needsRoot),
        arguments: [false, true]
    )
    func fillsUp(resume: Bool) async throws {
        let bench = try DownloadBench()
        let disk = try TinyDisk(kilobytes: 64)
        let bytes = bench.remote.bytes
        // Without a length there is nothing to reserve.
        bench.remote.change { $0.twists = [{ _, _ in .script(RemoteFile.steps(bytes), headers: [.eTag: "\"v1\""]) }] }
        let error = try await failure {
            try await bench.resource.download(
                to: .file(disk.path + "/data.bin"),
                options: DownloadOptions(resume: resume)
            )
        }
        #expect(error.code == .disk)
        #expect((error.cause as? FileProblem)?.errorNumber == ENOSPC)
        let names = try FileManager.default.contentsOfDirectory(atPath: disk.path)
        #expect(!names.contains("data.bin"))
        if !resume { #expect(names.isEmpty) }
    }

    @Test(
        "a read-only file system is an error with its path",
        .enabled(if: TinyDisk.isPossible, needsRoot)
    )
    func readOnly() async throws {
        let bench = try DownloadBench()
        let disk = try TinyDisk(kilobytes: 64)
        try disk.makeReadOnly()
        let error = try await failure { try await bench.resource.download(to: .file(disk.path + "/data.bin")) }
        #expect(error.code == .disk)
        #expect((error.cause as? FileProblem)?.errorNumber == EROFS)
        #expect(error.message.contains(disk.path))
    }

    @Test("a missing directory is an error with its path")
    func noDirectory() async throws {
        let bench = try DownloadBench()
        let path = bench.folder.path + "/none/data.bin"
        let error = try await failure { try await bench.resource.download(to: .file(path)) }
        #expect(error.code == .disk)
        #expect((error.cause as? FileProblem)?.errorNumber == ENOENT)
        #expect(error.message.contains(bench.folder.path + "/none\""))
    }

    @Test(
        "a temporary file moves to another file system, too",
        .enabled(if: TinyDisk.isPossible, needsRoot)
    )
    func otherDevice() async throws {
        let bench = try DownloadBench()
        let disk = try TinyDisk(kilobytes: 256)
        let file = try await bench.resource.download(to: .temporary)
        let old = file.path
        let moved = try file.move(to: disk.path + "/moved.bin")
        #expect(bench.bytes(moved.path) == bench.remote.bytes)
        #expect(!bench.exists(old))
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["moved.bin"])
    }
}
