// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A process that started this one, directly or through others, as `/proc` shows it.
struct AncestorProcess {
    private let number: Int32

    /// The shells that can run a command for each line of their standard input.
    private static let shells: Set = [
        "sh", "ash", "bash", "busybox", "csh", "dash", "fish", "ksh", "ksh93", "mksh", "rbash", "tcsh", "yash", "zsh",
    ]
    /// More than any real chain of processes: processes that end meanwhile must not make it endless.
    private static let mostAncestors = 64

    /// Whether a shell has this process's standard input as its own; also if the system doesn't show that.
    ///
    /// Processes between the shell and this one, such as `timeout`, have it as well. A process with another standard
    /// input ends the search.
    static func isShellReading(_ input: stat) -> Bool {
        var number = getppid()
        for _ in 0..<mostAncestors {
            // The first process of a container, or of the system, has no parent.
            if number <= 0 { return false }
            let process = AncestorProcess(number: number)
            guard let isShell = process.isShell, let parent = process.parent else { return true }
            switch process.hasInput(input) {
            case false?: return false
            // Another user's process: its input is not shown, and may be the same.
            case true?, nil: if isShell { return true }
            }
            number = parent
        }
        return true
    }

    /// Whether it was started by the name of a shell; `nil` if the system doesn't show it.
    ///
    /// The name is the first argument's: an executable's path would be that of Busybox for all its programs, and the
    /// kernel's name that of the script that a shell runs.
    private var isShell: Bool? {
        guard let arguments = text("cmdline") else { return nil }
        let path = arguments.prefix { $0 != 0 }
        var name = path.suffix(from: path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex)
        // A login shell's begins with a dash.
        if name.first == UInt8(ascii: "-") { name.removeFirst() }
        return AncestorProcess.shells.contains(String(decoding: name, as: UTF8.self))
    }

    /// The number of its parent: the second field behind its name, which may contain anything.
    private var parent: Int32? {
        guard let line = text("stat"), let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = line[(end + 1)...].split(separator: UInt8(ascii: " "))
        return fields.count > 1 ? Int32(String(decoding: fields[1], as: UTF8.self)) : nil
    }

    /// Whether its standard input is a certain file; `nil` if the system doesn't show it.
    private func hasInput(_ input: stat) -> Bool? {
        let folder = "/proc/\(number)/fd"
        guard access(folder, X_OK) == 0 else { return nil }
        var found = stat()
        guard stat("\(folder)/0", &found) == 0 else { return errno == ENOENT ? false : nil }
        return found.st_dev == input.st_dev && found.st_ino == input.st_ino
    }

    private func text(_ name: String) -> [UInt8]? {
        guard let file = try? Descriptor(opening: "/proc/\(number)/\(name)", O_RDONLY) else { return nil }
        defer { file.close() }
        return try? file.read(4_096)
    }
}
