// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Gives the finished file its name: always the file that is open here, whatever its path names by now.
extension PartFile {
    /// What happens to an existing file at the destination.
    enum Collision: Sendable {
        case refuse, replace, number
    }

    /// A file exists at the destination and must be kept.
    struct Exists: Error, CustomStringConvertible {
        let path: String
        var description: String { "there is already a file at \(PeerText.quoted(path))" }
    }

    /// How it went to give the open file another name.
    private enum Naming {
        case done, exists, impossible
    }

    /// Moves the file to its final name, atomically; a file that must be kept is never lost, even if it appears just
    /// now.
    ///
    /// - Returns: The final name, which may be numbered.
    /// - Throws: ``Exists``, ``FileProblem``, also if the name leads to another file afterwards.
    func commit(to target: FilePath, _ collision: Collision) throws -> FilePath {
        switch collision {
        case .replace:
            takePermissions(from: target)
            try replace(target)
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

    /// Moves the file to the place of whatever is there.
    private func replace(_ target: FilePath) throws(FileProblem) {
        // Only a holder of this file's lock uses that name: a killed one may have left it.
        let draft = path.appending(".new")
        unlink(draft.text)
        guard case .done = name(draft) else {
            try require()
            guard rename(path.text, target.text) == 0 else { throw FileProblem("move \(path.name) to", target.text) }
            return try confirm(target)
        }
        guard rename(draft.text, target.text) == 0 else {
            let problem = FileProblem("move \(path.name) to", target.text)
            unlink(draft.text)
            throw problem
        }
        // A rename between two names of one file does nothing.
        unlink(draft.text)
        discard()
        try confirm(target)
    }

    /// Moves the file unless the target exists; false if it does.
    private func move(to target: FilePath) throws(FileProblem) -> Bool {
        switch name(target) {
        case .done:
            discard()
            try confirm(target)
            return true
        case .exists: return false
        case .impossible: try require()
        }
        #if canImport(Darwin)
        if renamex_np(path.text, target.text, UInt32(RENAME_EXCL)) == 0 {
            try confirm(target)
            return true
        }
        if errno == EEXIST { return false }
        guard errno == ENOTSUP || errno == EINVAL else { throw FileProblem("move \(path.name) to", target.text) }
        #endif
        // On a file system without hard links, an empty file reserves the name.
        let holder = open(target.text, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if holder < 0, errno == EEXIST { return false }
        guard holder >= 0 else { throw FileProblem("create", target.text) }
        var facts = stat()
        let isKnown = fstat(holder, &facts) == 0
        close(holder)
        // What took the name from the empty file in the meantime is kept.
        guard isKnown, FileIdentity(at: target) == FileIdentity(facts) else { return false }
        guard rename(path.text, target.text) == 0 else {
            let problem = FileProblem("move \(path.name) to", target.text)
            if FileIdentity(at: target) == FileIdentity(facts) { unlink(target.text) }
            throw problem
        }
        try confirm(target)
        return true
    }

    /// Gives the open file another name, unless it exists.
    private func name(_ other: FilePath) -> Naming {
        #if canImport(Darwin)
        // There, only a path names a file.
        return .impossible
        #else
        let open = "/proc/self/fd/\(descriptor)"
        if linkat(AT_FDCWD, open, AT_FDCWD, other.text, AT_SYMLINK_FOLLOW) == 0 { return .done }
        // Whatever else is wrong, a rename either does without it or reports it.
        return errno == EEXIST ? .exists : .impossible
        #endif
    }

    /// Requires that the path, which is about to be moved, still names this file.
    private func require() throws(FileProblem) {
        guard isInPlace else {
            throw FileProblem("move", path.text, because: "it was replaced or removed")
        }
    }

    /// Requires that the target names this file, now that it should.
    private func confirm(_ target: FilePath) throws(FileProblem) {
        guard FileIdentity(at: target) == identity else {
            throw FileProblem("move \(path.name) to", target.text, because: "another file has replaced it")
        }
    }
}
