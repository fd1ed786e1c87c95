// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file's path, taken apart.
struct FilePath: Sendable, Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    init(_ directory: String, _ name: String) {
        text = directory.isEmpty ? name : directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }

    /// The directory that it is in, as it was written; `.` where none was.
    var directory: String {
        guard let slash = text.lastIndex(of: "/") else { return "." }
        return slash == text.startIndex ? "/" : String(text[..<slash])
    }

    var name: String { text.lastIndex(of: "/").map { String(text[text.index(after: $0)...]) } ?? text }

    /// The path with a number before the extension: `data-1.tar`.
    func numbered(_ number: Int) -> FilePath {
        guard number > 0 else { return self }
        let name = name
        let point = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        let numbered = "\(name[..<point])-\(number)\(name[point...])"
        return text.contains("/") ? FilePath(directory, numbered) : FilePath(numbered)
    }

    /// Whether anything is there; a link that leads nowhere is something.
    var exists: Bool {
        var facts = stat()
        return lstat(text, &facts) == 0
    }

    /// Makes what was done in a directory outlast a power failure.
    static func sync(directory: String) throws(FileProblem) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileProblem("open", directory) }
        defer { close(descriptor) }
        // Some file systems can't, and need not.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else { throw FileProblem("sync", directory) }
    }

    /// Makes a directory and those above it, for the user alone.
    static func makeDirectory(_ path: String) throws(FileProblem) {
        var facts = stat()
        if stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR { return }
        let above = FilePath(path).directory
        if above != path, above != ".", above != "/" { try makeDirectory(above) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileProblem("make", path) }
    }
}
