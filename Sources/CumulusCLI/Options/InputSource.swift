// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The origin of standard input, which shows whether it is meant for this command.
///
/// A file counts from its beginning. A pipe or socket counts unless a shell above this process reads from it too: the
/// shell's list for a loop must be left alone.
struct InputSource: Sendable {
    /// The kinds of standard input that can belong to one command.
    enum Kind: Sendable {
        /// A regular file with bytes, of which none has been read.
        case unreadFile
        /// A regular file that was read before, such as the list of a loop.
        case readFile
        /// A pipe or a socket.
        case stream
        /// A terminal, a device, or an empty file.
        case other
    }

    /// The bytes that a stream or file has now.
    enum Content: Sendable {
        case bytes
        /// None, and there will be none.
        case end
        /// None yet.
        case unknown
    }

    var kind = Kind.other
    /// Whether a shell that started this process has the same standard input, as in a loop, or may have it.
    var isSharedWithShell = false
    /// Returns the content, after waiting for at most `patience` milliseconds.
    var content: @Sendable (_ patience: Int32) -> Content = { _ in .end }

    /// Whether the input is this command's alone: no loop's list.
    var isOwn: Bool { kind == .unreadFile || kind == .stream && !isSharedWithShell }

    /// Returns the content that belongs to this command, after waiting for at most ``patience``.
    func ownContent() -> Content {
        isOwn ? content(InputSource.patience) : .end
    }

    /// How long a check waits for the first byte or the end of a stream, in milliseconds.
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
            case S_IFIFO, S_IFSOCK: .stream
            default: .other
            }
        if kind == .other { return InputSource() }
        return InputSource(kind: kind, isSharedWithShell: AncestorProcess.isShellReading(found)) { patience in
            switch kind {
            case .unreadFile: .bytes
            case .stream: InputSource.streamContent(patience)
            case .readFile, .other: .end
            }
        }
    }

    private static func streamContent(_ patience: Int32) -> Content {
        var event = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&event, 1, patience) == 1 else { return .unknown }
        var count: Int32 = 0
        return ioctl(STDIN_FILENO, unreadBytes, &count) == 0 && count > 0 ? .bytes : .end
    }

    /// `FIONREAD`, the request for the number of bytes that can be read.
    static var unreadBytes: UInt {
        #if canImport(Darwin)
        // `_IOR('f', 127, int)` of <sys/filio.h>, a macro that Swift can't read.
        0x4004_667F
        #else
        UInt(FIONREAD)
        #endif
    }
}
