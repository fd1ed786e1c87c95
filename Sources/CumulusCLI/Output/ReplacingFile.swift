// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// New content for a file: a hidden file beside it, which takes its place once it is complete.
final class ReplacingFile: Sendable {
    /// The file itself, where a symbolic link leads.
    private let target: String
    private let draft: String
    private let file: Descriptor
    private let isOpen = Mutex(true)

    /// Prepares the replacement of a regular file that has content.
    ///
    /// `nil` if there is none, and where another file would not do: a device, a stream of this process, a file with
    /// several names, or one whose owner and permissions the new one can't get.
    init?(_ path: String) {
        guard Descriptor.hasContent(path), !path.begins(with: "/dev/"), !path.begins(with: "/proc/"),
            let target = Descriptor.realPath(path), access(target, W_OK) == 0
        else { return nil }
        var found = stat()
        guard stat(target, &found) == 0, found.st_mode & S_IFMT == S_IFREG, found.st_nlink == 1 else { return nil }
        let folder = target.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(target[...$0]) } ?? ""
        let draft = "\(folder).cumulus-\(String(UInt64.random(in: .min ... .max), radix: 16)).part"
        let number = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { return nil }
        guard fchown(number, found.st_uid, found.st_gid) == 0, fchmod(number, found.st_mode & 0o7777) == 0 else {
            Descriptor(number: number).close()
            unlink(draft)
            return nil
        }
        self.target = target
        self.draft = draft
        file = Descriptor(number: number)
    }

    deinit { discard() }

    func write(_ bytes: [UInt8]) throws { try file.write(bytes) }

    /// Puts it in the place of the old file, once its bytes are on the disk.
    ///
    /// - Throws: ``SystemProblem``; the old file is then still there.
    func commit() throws(SystemProblem) {
        guard end() else { return }
        defer { file.close() }
        guard StableStorage.flush(file.number) || errno == EINVAL, rename(draft, target) == 0 else {
            let problem = Descriptor.problem()
            unlink(draft)
            throw problem
        }
    }

    /// Removes it.
    func discard() {
        guard end() else { return }
        file.close()
        unlink(draft)
    }

    /// Whether this is the first end.
    private func end() -> Bool {
        isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
    }
}

extension OutputFile {
    /// Opens a file for writing, emptying it.
    init(emptying path: String) throws(SystemProblem) {
        let file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC)
        self.init(
            write: { try file.write($0) },
            close: { file.close() },
            abandon: {
                file.close()
                return false
            }
        )
    }

    /// Opens a file that replaces an existing one; `nil` where ``ReplacingFile`` can't.
    init?(replacing path: String) {
        guard let file = ReplacingFile(path) else { return nil }
        self.init(
            write: { try file.write($0) },
            close: { try file.commit() },
            abandon: {
                file.discard()
                return true
            }
        )
    }
}
