// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension PartFile {
    /// What happens to an existing file at the destination.
    enum Collision: Sendable {
        case refuse, replace, number
    }

    /// A file exists at the destination and must be kept.
    struct Exists: Error, CustomStringConvertible {
        let path: String
        var description: String { "there is already a file at \(RequestURL.quote(path))" }
    }

    /// Renames the file to its final name, atomically; a file that must be kept is never lost, even if it appears just
    /// now.
    ///
    /// - Returns: The final name, which may be numbered.
    /// - Throws: ``Exists``, ``FileProblem``.
    func commit(to target: FilePath, _ collision: Collision) throws -> FilePath {
        switch collision {
        case .replace:
            takePermissions(from: target)
            guard rename(path.text, target.text) == 0 else { throw FileProblem("move \(path.name) to", target.text) }
            return target
        case .refuse:
            guard try move(to: target) else { throw Exists(path: target.text) }
            return target
        case .number:
            for number in 0..<10_000 {
                let numbered = target.numbered(number)
                if try move(to: numbered) { return numbered }
            }
            throw Exists(path: target.text)
        }
    }

    /// Moves the file unless the target exists; false if it does.
    private func move(to target: FilePath) throws(FileProblem) -> Bool {
        #if canImport(Darwin)
        if renamex_np(path.text, target.text, UInt32(RENAME_EXCL)) == 0 { return true }
        if errno == EEXIST { return false }
        guard errno == ENOTSUP || errno == EINVAL else { throw FileProblem("move \(path.name) to", target.text) }
        #endif
        // A hard link never replaces a file, unlike `rename`.
        if link(path.text, target.text) == 0 {
            unlink(path.text)
            return true
        }
        if errno == EEXIST { return false }
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EACCES].contains(errno) else {
            throw FileProblem("move \(path.name) to", target.text)
        }
        // On a file system without hard links, an empty file reserves the name.
        let holder = open(target.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if holder < 0, errno == EEXIST { return false }
        guard holder >= 0 else { throw FileProblem("make", target.text) }
        close(holder)
        guard rename(path.text, target.text) == 0 else {
            let problem = FileProblem("move \(path.name) to", target.text)
            unlink(target.text)
            throw problem
        }
        return true
    }
}
