// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Makes room in a cache's folder: removes the least recently used responses first, and the files that a killed process
/// has left.
struct DiskSweep {
    private struct File {
        let path: FilePath
        let size: Int64
        /// Nanoseconds since 1970.
        let used: Int64
    }

    /// The size of a folder, and of the smallest file, on the disk.
    static let block: Int64 = 4_096

    private let root: FilePath

    init(_ folder: CacheFolder) { root = folder.root }

    /// The folders of URLs.
    var folders: [FilePath] {
        FilePath.names(inDirectory: root.text).filter(CacheFolder.isOwnFolder).map { FilePath(root.text, $0) }
    }

    /// The time for which a file that no head refers to may remain unchanged, in seconds.
    ///
    /// If a body is still being written after that time, it becomes a miss.
    private static let patience: Int64 = 600

    /// Removes files until nine tenths of a number of bytes are left, if there are more.
    ///
    /// - Returns: The number of bytes that are left.
    func shrink(to capacity: Int64) -> Int64 {
        var responses: [(head: File, body: File?, folder: FilePath)] = []
        var (total, pending) = (Int64(0), Int64(0))
        let now = DiskSweep.nanoseconds(Int64(time(nil)))
        for folder in folders {
            let files = FilePath.names(inDirectory: folder.text).filter(CacheFolder.isOwn)
                .compactMap { DiskSweep.file(FilePath(folder.text, $0)) }
            total += files.reduce(DiskSweep.block) { $0 + $1.size }
            let bodies = files.filter { $0.path.name.ends(with: CacheFolder.bodyEnding) }
            var named: Set<String> = []
            for head in files where head.path.name.ends(with: CacheFolder.headEnding) {
                let name = DiskSweep.bodyName(of: head.path)
                if let name { named.insert(name) }
                responses.append((head, bodies.first { $0.path.name == name }, folder))
            }
            for file in files
            where !file.path.name.ends(with: CacheFolder.headEnding) && !named.contains(file.path.name) {
                if now - file.used > DiskSweep.nanoseconds(DiskSweep.patience) {
                    unlink(file.path.text)
                    total -= file.size
                } else {
                    pending += file.size
                }
            }
            // `rmdir` fails while the folder contains a file.
            if rmdir(folder.text) == 0 { total -= DiskSweep.block }
        }
        // Files that are being written, or were left by a killed process, never take more than half of the room from
        // the other files.
        let spared = max(0, pending - capacity / 2)
        total -= spared
        guard total > capacity else { return total + spared }
        for (head, body, folder) in responses.sorted(by: { $0.head.used < $1.head.used }) {
            guard total > capacity / 10 * 9 else { break }
            unlink(head.path.text)
            total -= head.size
            if let body {
                unlink(body.path.text)
                total -= body.size
            }
            if rmdir(folder.text) == 0 { total -= DiskSweep.block }
        }
        return total + spared
    }

    /// Removes the files of one URL.
    static func removeAll(in folder: FilePath) {
        // Heads first, so that no head refers to a removed body.
        let names = FilePath.names(inDirectory: folder.text).filter(CacheFolder.isOwn)
        for name in names where name.ends(with: CacheFolder.headEnding) { unlink(FilePath(folder.text, name).text) }
        for name in names { unlink(FilePath(folder.text, name).text) }
        rmdir(folder.text)
    }

    /// Records that a head was used, at most once a minute.
    static func touch(_ path: FilePath) {
        guard let file = file(path), nanoseconds(Int64(time(nil))) - file.used > nanoseconds(60) else { return }
        utimensat(AT_FDCWD, path.text, nil, AT_SYMLINK_NOFOLLOW)
    }

    /// The time when a head was last used, in nanoseconds since 1970.
    static func used(_ path: FilePath) -> Int64 { file(path)?.used ?? 0 }

    /// Converts seconds, limited so that no file's time overflows.
    private static func nanoseconds(_ seconds: Int64) -> Int64 {
        min(max(seconds, -4_000_000_000), 4_000_000_000) * 1_000_000_000
    }

    private static func file(_ path: FilePath) -> File? {
        var facts = stat()
        guard lstat(path.text, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
        let time = facts.st_mtimespec
        #else
        let time = facts.st_mtim
        #endif
        let used = nanoseconds(Int64(time.tv_sec)) &+ Int64(time.tv_nsec)
        // The size on the disk, which for a small file is more than its length.
        return File(path: path, size: max(Int64(facts.st_size), Int64(facts.st_blocks) * 512), used: used)
    }

    /// The body that a head refers to.
    ///
    /// The head isn't verified, since it will be removed.
    private static func bodyName(of head: FilePath) -> String? {
        guard let bytes = try? PrivateFile(head, longest: StoredHead.longest).read() else { return nil }
        return StoredHead.bodyName(in: bytes)
    }
}
