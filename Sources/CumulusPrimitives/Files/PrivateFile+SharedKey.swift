// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension PrivateFile {
    /// The random key that the file contains; it is made if the file doesn't exist or has another size.
    ///
    /// If other processes make one at the same time, all of them use the first one.
    ///
    /// - Parameter size: The number of the key's bytes.
    /// - Returns: The key.
    /// - Throws: ``FileFailure``.
    package func sharedKey(size: Int = 32) throws(FileFailure) -> [UInt8] {
        if let key = try read() {
            if key.count == size { return key }
            try remove()
        }
        removeDraftsOfEndedProcesses()
        var numbers = SystemRandomNumberGenerator()
        let bytes = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }
        let number = UInt32.random(in: .min ... .max, using: &numbers)
        let draft = path.appending(".\(getpid()).\(number)\(PrivateFile.draftEnding)")
        try PrivateFile.create(draft, with: bytes)
        defer { unlink(draft.text) }
        // Some file systems don't support links.
        if link(draft.text, path.text) != 0, errno != EEXIST, rename(draft.text, path.text) != 0 {
            throw FileFailure("create", path.text)
        }
        guard let key = try read(), key.count == size else {
            throw FileFailure("read", path.text, because: "it does not contain a key of \(size) bytes")
        }
        return key
    }

    private static let draftEnding = ".new"

    /// Removes the drafts of processes that were killed while they made a key.
    private func removeDraftsOfEndedProcesses() {
        let beginning = "\(path.name)."
        for name in FilePath.names(inDirectory: path.directory) where name.begins(with: beginning) {
            guard name.ends(with: PrivateFile.draftEnding),
                let owner = pid_t(name.dropFirst(beginning.count).before("."))
            else { continue }
            if kill(owner, 0) != 0, errno == ESRCH { unlink(path.beside(name).text) }
        }
    }
}
