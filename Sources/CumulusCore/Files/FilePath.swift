// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file's path, processed by bytes, as the system does.
struct FilePath: Sendable, Hashable {
    let text: String
    /// The directory that the file must be in, if its name came from outside; `nil` for the user's own path.
    private(set) var folder: String?

    init(_ text: String) { self.text = text }

    init(_ directory: String, _ name: String) { text = FilePath.joined(directory, name) }

    /// The path of a name from outside in a directory; `nil` for a name that isn't a single component (T-57).
    ///
    /// This is the last check: whatever made the name, its bytes are checked here, where they become part of a path.
    init?(of name: String, inFolder directory: String) {
        guard FileName.isOneComponent(name.utf8) else { return nil }
        text = FilePath.joined(directory, name)
        folder = directory.isEmpty ? "." : directory
        guard self.name.utf8.elementsEqual(name.utf8) else { return nil }
    }

    private static func joined(_ directory: String, _ name: String) -> String {
        directory.isEmpty ? name : directory.utf8.last == FilePath.slash ? directory + name : "\(directory)/\(name)"
    }

    private static let slash = UInt8(ascii: "/")

    /// The directory, as written; `.` if there is none.
    var directory: String {
        guard let slash = text.utf8.lastIndex(of: FilePath.slash) else { return "." }
        return slash == text.startIndex ? "/" : String(decoding: text.utf8[..<slash], as: UTF8.self)
    }

    var name: String {
        guard let slash = text.utf8.lastIndex(of: FilePath.slash) else { return text }
        return String(decoding: text.utf8[slash...].dropFirst(), as: UTF8.self)
    }

    /// The path with an ending after its name: `data.tar.part`.
    func appending(_ ending: String) -> FilePath {
        var path = FilePath(text + ending)
        path.folder = folder
        return path
    }

    /// The path with a number before the extension: `data-1.tar`.
    func numbered(_ number: Int) -> FilePath {
        guard number > 0 else { return self }
        let name = name.utf8
        let point = name.dropFirst().lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        let parts = [name[..<point], name[point...]].map { String(decoding: $0, as: UTF8.self) }
        let numbered = "\(parts[0])-\(number)\(parts[1])"
        var path = text.utf8.contains(FilePath.slash) ? FilePath(directory, numbered) : FilePath(numbered)
        path.folder = folder
        return path
    }

    /// Whether an open file is the one with this name in the required directory; true if none is required.
    func isChild(_ facts: stat) -> Bool {
        guard let folder else { return true }
        let name = name
        guard FileName.isOneComponent(name.utf8) else { return false }
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return false }
        defer { close(directory) }
        var found = stat()
        return fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && found.st_ino == facts.st_ino
            && found.st_dev == facts.st_dev
    }

    /// Whether anything exists at the path, including a broken symbolic link.
    var exists: Bool {
        var facts = stat()
        return lstat(text, &facts) == 0
    }

    /// Makes changes in a directory survive a power failure.
    static func sync(directory: String) throws(FileProblem) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileProblem("open", directory) }
        defer { close(descriptor) }
        // Some file systems don't support this, and don't need it.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else { throw FileProblem("sync", directory) }
    }

    /// Creates a directory and its parents, accessible only to the user.
    static func makeDirectory(_ path: String) throws(FileProblem) {
        var facts = stat()
        if stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR { return }
        let above = FilePath(path).directory
        if above != path, above != ".", above != "/" { try makeDirectory(above) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileProblem("make", path) }
    }
}
