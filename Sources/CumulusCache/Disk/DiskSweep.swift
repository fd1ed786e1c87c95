// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Makes room in a cache's folder: what was used longest ago goes first, and what a killed process has left.
struct DiskSweep {
    private struct File {
        let path: FilePath
        let size: Int64
        /// Nanoseconds since 1970.
        let used: Int64
    }

    /// What a folder takes, and the smallest file.
    static let block: Int64 = 4_096

    private let root: FilePath

    init(_ folder: CacheFolder) { root = folder.root }

    /// The folders of URLs.
    var folders: [FilePath] {
        CacheFolder.names(in: root).filter(CacheFolder.isOwnFolder).map { FilePath(root.text, $0) }
    }

    /// How long a file that no head names may lie untouched, in seconds.
    ///
    /// If a body is still on its way after all, it is a miss.
    private static let patience: Int64 = 600

    /// Removes files until nine tenths of a number of bytes are left, if there are more.
    ///
    /// - Returns: How many bytes are left.
    func shrink(to capacity: Int64) -> Int64 {
        var responses: [(head: File, body: File?, folder: FilePath)] = []
        var (total, pending) = (Int64(0), Int64(0))
        let now = DiskSweep.nanoseconds(Int64(time(nil)))
        for folder in folders {
            let files = CacheFolder.names(in: folder).filter(CacheFolder.isOwn)
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
            // Refused while anything is in it.
            if rmdir(folder.text) == 0 { total -= DiskSweep.block }
        }
        // What is on its way, or left by a killed process, never takes more than half of the room from the rest.
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
        // Heads first, so that none names a body that is gone.
        let names = CacheFolder.names(in: folder).filter(CacheFolder.isOwn)
        for name in names where name.ends(with: CacheFolder.headEnding) { unlink(FilePath(folder.text, name).text) }
        for name in names { unlink(FilePath(folder.text, name).text) }
        rmdir(folder.text)
    }

    /// Notes that a head was used, once a minute at most.
    static func touch(_ path: FilePath) {
        guard let file = file(path), nanoseconds(Int64(time(nil))) - file.used > nanoseconds(60) else { return }
        utimensat(AT_FDCWD, path.text, nil, AT_SYMLINK_NOFOLLOW)
    }

    /// When a head was used last, in nanoseconds since 1970.
    static func used(_ path: FilePath) -> Int64 { file(path)?.used ?? 0 }

    /// A number that no file's time makes overflow.
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
        // What it takes on the disk, which for a small file is more than its length.
        return File(path: path, size: max(Int64(facts.st_size), Int64(facts.st_blocks) * 512), used: used)
    }

    /// The body that a head names, without looking whether the head is right: it is to be removed.
    private static func bodyName(of head: FilePath) -> String? {
        guard let bytes = try? PrivateFile(head, longest: StoredHead.longest).read() else { return nil }
        return StoredHead.bodyName(in: bytes)
    }
}
