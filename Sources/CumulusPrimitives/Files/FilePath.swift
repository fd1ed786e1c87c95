// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
package import Darwin
#elseif canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#endif

/// A file's path, processed by bytes, as the system does.
package struct FilePath: Sendable, Hashable {
    package let text: String
    /// The directory that the file must be in, if its name came from outside; `nil` for the user's own path.
    private var folder: String?

    package init(_ text: String) { self.text = text }

    package init(_ directory: String, _ name: String) { text = FilePath.joined(directory, name) }

    /// The path of a name from outside in a directory; `nil` for a name that isn't a single component.
    ///
    /// This is the last check: whatever made the name, its bytes are checked here, where they become part of a path.
    package init?(of name: String, inFolder directory: String) {
        guard FileName.isOneComponent(name.utf8) else { return nil }
        text = FilePath.joined(directory, name)
        folder = directory.isEmpty ? "." : directory
        guard self.name.utf8.elementsEqual(name.utf8) else { return nil }
    }

    private static func joined(_ directory: String, _ name: String) -> String {
        directory.isEmpty ? name : directory.utf8.last == FilePath.slash ? directory + name : "\(directory)/\(name)"
    }

    private static let slash = UInt8(ascii: "/")

    /// The path from the root, as the working directory makes it now; `nil` if that is unknown.
    package var absolute: String? {
        if text.utf8.first == FilePath.slash { return text }
        guard let place = getcwd(nil, 0) else { return nil }
        defer { free(place) }
        return FilePath.joined(String(cString: place), text)
    }

    /// The directory, as written; `.` if there is none.
    package var directory: String {
        guard let slash = text.utf8.lastIndex(of: FilePath.slash) else { return "." }
        return slash == text.startIndex ? "/" : String(decoding: text.utf8[..<slash], as: UTF8.self)
    }

    package var name: String {
        guard let slash = text.utf8.lastIndex(of: FilePath.slash) else { return text }
        return String(decoding: text.utf8[slash...].dropFirst(), as: UTF8.self)
    }

    /// The path of another file in the same directory.
    package func beside(_ name: String) -> FilePath {
        var path = text.utf8.contains(FilePath.slash) ? FilePath(directory, name) : FilePath(name)
        path.folder = folder
        return path
    }

    /// The path with an ending after its name: `data.tar.json`.
    package func appending(_ ending: String) -> FilePath {
        var path = FilePath(text + ending)
        path.folder = folder
        return path
    }

    /// The path with a number before the extension: `data-1.tar`.
    package func numbered(_ number: Int) -> FilePath {
        guard number > 0 else { return self }
        let name = name.utf8
        let point = name.dropFirst().lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        let parts = [name[..<point], name[point...]].map { String(decoding: $0, as: UTF8.self) }
        let numbered = "\(parts[0])-\(number)\(parts[1])"
        return beside(numbered)
    }

    /// Whether an open file is the one with this name in the required directory; true if none is required.
    package func isChild(_ facts: stat) -> Bool {
        guard let folder else { return true }
        let name = name
        guard FileName.isOneComponent(name.utf8) else { return false }
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return false }
        defer { close(directory) }
        var found = stat()
        return fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) == 0
            && FileIdentity(found) == FileIdentity(facts)
    }

    /// Whether anything exists at the path, including a broken symbolic link.
    package var exists: Bool {
        var facts = stat()
        return lstat(text, &facts) == 0
    }

    /// The names in a directory; none if it can't be read, or if it is a symbolic link that may not be followed.
    package static func names(inDirectory path: String, followsLinks: Bool = false) -> [String] {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { return [] }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Makes changes in a directory survive a power failure.
    package static func sync(directory: String) throws(FileFailure) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure("open", directory) }
        defer { close(descriptor) }
        // Some file systems don't support this, and don't need it.
        guard StableStorage.flush(descriptor) || errno == EINVAL || errno == EROFS else {
            throw FileFailure("sync", directory)
        }
    }

    /// Creates a directory and its parents: accessible only to the user, or to whom the process's mask allows.
    package static func makeDirectory(_ path: String, isPrivate: Bool = true) throws(FileFailure) {
        var facts = stat()
        if stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR { return }
        let above = FilePath(path).directory
        if above != path, above != ".", above != "/" { try makeDirectory(above, isPrivate: isPrivate) }
        guard mkdir(path, isPrivate ? 0o700 : 0o777) == 0 || errno == EEXIST else { throw FileFailure("create", path) }
    }
}
