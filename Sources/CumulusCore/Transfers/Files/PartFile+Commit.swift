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

    /// A file at the destination that is to be kept.
    struct Exists: Error, CustomStringConvertible {
        let path: String
        var description: String { "there is already a file at \(RequestURL.quote(path))" }
    }

    /// Gives the file its final name, in one step; a file that is to be kept is never lost, even if it comes up now.
    ///
    /// - Returns: The name, which may have been numbered.
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

    /// Moves the file unless something is there; false where something is.
    private func move(to target: FilePath) throws(FileProblem) -> Bool {
        #if canImport(Darwin)
        if renamex_np(path.text, target.text, UInt32(RENAME_EXCL)) == 0 { return true }
        if errno == EEXIST { return false }
        guard errno == ENOTSUP || errno == EINVAL else { throw FileProblem("move \(path.name) to", target.text) }
        #endif
        // A second name never replaces anything, unlike `rename`.
        if link(path.text, target.text) == 0 {
            unlink(path.text)
            return true
        }
        if errno == EEXIST { return false }
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EACCES].contains(errno) else {
            throw FileProblem("move \(path.name) to", target.text)
        }
        // A file system without second names: an empty file of ours holds the place.
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
