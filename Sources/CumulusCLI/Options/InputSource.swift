// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The origin of standard input, which shows whether it is meant for this command.
struct InputSource: Sendable {
    /// The kinds of standard input that can belong to one command.
    enum Kind: Sendable {
        /// A regular file with bytes, of which none has been read.
        case unreadFile
        /// A regular file that was read before, such as the list of a loop.
        case readFile
        case pipe
        /// A terminal, a device, a socket, or an empty file.
        case other
    }

    /// The bytes that a pipe or file has now.
    enum Content: Sendable {
        case bytes
        /// None, and there will be none.
        case end
        /// None yet.
        case unknown
    }

    var kind = Kind.other
    /// Whether the parent process has the same standard input, as a shell's loop does; `nil` if that is unknown.
    var isShared: Bool?
    /// Returns the content, after waiting for at most `patience` milliseconds.
    var content: @Sendable (_ patience: Int32) -> Content = { _ in .end }

    /// Whether it belongs to this command: a file from its beginning, or a pipe of this command alone.
    var isOwn: Bool { kind == .unreadFile || kind == .pipe && isShared == false }

    /// Whether it belongs to this command and has bytes, or gets some within ``patience``.
    var hasOwnBytes: Bool { isOwn && content(InputSource.patience) == .bytes }

    /// How long a check waits for the first byte or the end of a pipe, in milliseconds.
    static let patience: Int32 = 1_000
}

extension InputSource {
    /// The process's standard input.
    static func system() -> InputSource {
        var found = stat()
        guard fstat(STDIN_FILENO, &found) == 0 else { return InputSource() }
        let kind: Kind =
            switch found.st_mode & S_IFMT {
            case S_IFREG where found.st_size == 0: .other
            case S_IFREG: lseek(STDIN_FILENO, 0, SEEK_CUR) == 0 ? .unreadFile : .readFile
            case S_IFIFO: .pipe
            default: .other
            }
        if kind == .other { return InputSource() }
        return InputSource(kind: kind, isShared: parentHas(found)) { patience in
            switch kind {
            case .unreadFile: .bytes
            case .pipe: InputSource.pipeContent(patience)
            case .readFile, .other: .end
            }
        }
    }

    /// Whether the parent process has the same file as standard input; `nil` if the system doesn't show it.
    private static func parentHas(_ own: stat) -> Bool? {
        let parent = "/proc/\(getppid())"
        // A parent outside of a container has no number here; other systems have no such folder.
        guard access("\(parent)/fd", X_OK) == 0 else { return nil }
        var found = stat()
        guard stat("\(parent)/fd/0", &found) == 0 else { return errno == ENOENT ? false : nil }
        return found.st_dev == own.st_dev && found.st_ino == own.st_ino
    }

    private static func pipeContent(_ patience: Int32) -> Content {
        var event = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&event, 1, patience) == 1 else { return .unknown }
        var count: Int32 = 0
        return ioctl(STDIN_FILENO, UInt(FIONREAD), &count) == 0 && count > 0 ? .bytes : .end
    }
}
