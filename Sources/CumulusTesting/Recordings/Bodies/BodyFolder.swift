// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The folder of a recording's large bodies, whose files are named by the SHA-256 of their content.
struct BodyFolder: Sendable {
    /// The length of a body from which it has a file of its own, in bytes.
    static let threshold = 256 << 10

    private let path: String

    /// The folder of a recording: the file's name with `.bodies`.
    init(of file: String) { path = "\(file).bodies" }

    /// Writes a body, unless a file with the same content exists; returns its name.
    func store(_ bytes: [UInt8]) throws(FileFailure) -> String {
        let name = BodyFolder.name(of: bytes)
        let place = FilePath(path, name)
        if !place.exists { try PrivateFile(place).write(bytes) }
        return name
    }

    /// A new file whose name is not known before its content is.
    func makeDraft() throws(FileFailure) -> BodyDraft {
        try FilePath.makeDirectory(path)
        let number = MessageDigest.hexadecimal((0..<8).map { _ in UInt8.random(in: 0...255) })
        return try BodyDraft(FilePath(path, ".\(number).new"), folder: path)
    }

    /// Opens a body; `nil` if the name is not that of a body, or not a regular file.
    ///
    /// The name comes from a file that anyone may have written.
    func open(_ name: String) throws(FixtureProblem) -> FixtureFile? {
        guard BodyFolder.isName(name), let place = FilePath(of: name, inFolder: path) else { return nil }
        var facts = stat()
        guard lstat(place.text, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        return try FixtureFile(path: place.text)
    }

    static func name(of bytes: [UInt8]) -> String {
        MessageDigest.hexadecimal(MessageDigest.sha256(of: bytes))
    }

    static func isName(_ name: String) -> Bool {
        name.utf8.count == 64
            && name.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || (0x61...0x66) ~= $0 }
    }
}

/// A body that is written while it arrives; without `finish`, it leaves no file.
final class BodyDraft: Sendable {
    private let place: FilePath
    private let folder: String
    private let descriptor: CInt
    private let digest = RunningHash(.sha256)

    init(_ place: FilePath, folder: String) throws(FileFailure) {
        self.place = place
        self.folder = folder
        descriptor = Self.make(place.text)
        guard descriptor >= 0 else { throw FileFailure("create", place.text) }
    }

    private static func make(_ path: String) -> CInt {
        open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }

    deinit {
        close(descriptor)
        unlink(place.text)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileFailure) {
        digest.update(bytes)
        var remaining = bytes[...]
        while !remaining.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: remaining)
            #if canImport(Darwin)
            let count = Darwin.write(descriptor, part.baseAddress, part.count)
            #elseif canImport(Musl)
            let count = Musl.write(descriptor, part.baseAddress, part.count)
            #else
            let count = Glibc.write(descriptor, part.baseAddress, part.count)
            #endif
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileFailure("write", place.text) }
            remaining = remaining.dropFirst(count)
        }
    }

    /// Renames the file to its final name, which it returns.
    func finish() throws(FileFailure) -> String {
        let name = MessageDigest.hexadecimal(digest.bytes)
        let target = FilePath(folder, name)
        guard rename(place.text, target.text) == 0 else { throw FileFailure("move", place.text) }
        return name
    }
}
