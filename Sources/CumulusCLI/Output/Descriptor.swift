// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file descriptor whose calls handle signals and short writes.
struct Descriptor: Sendable {
    let number: Int32

    /// Takes an open descriptor.
    init(number: Int32) { self.number = number }

    /// Opens a file; a new one gets the permissions that the process's mask allows.
    init(opening path: String, _ flags: Int32) throws(SystemProblem) {
        number = open(path, flags | O_CLOEXEC, 0o666)
        if number < 0 { throw Descriptor.problem() }
    }

    /// Opens a regular file for reading; anything else, such as a pipe without a writer, could block.
    init(openingRegular path: String, _ flags: Int32 = 0) throws(SystemProblem) {
        try self.init(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY | flags)
        try refuseIrregular()
    }

    /// Opens a regular file below a folder for reading; no part of its path may be a symbolic link.
    ///
    /// Each folder is opened in the one before it, so that no link that is made meanwhile is followed either.
    init(openingRegular path: String, below folder: String) throws(SystemProblem) {
        var place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard place >= 0 else { throw Descriptor.problem() }
        let names = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        for (index, name) in names.enumerated() {
            let kind = index == names.count - 1 ? O_NONBLOCK | O_NOCTTY : O_DIRECTORY
            let next = openat(place, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind)
            let problem = next < 0 ? Descriptor.problem() : nil
            var found = stat()
            let isLink = fstatat(place, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && found.st_mode & S_IFMT == S_IFLNK
            Descriptor(number: place).close()
            if let problem { throw isLink ? SystemProblem(description: "its path contains a symbolic link") : problem }
            place = next
        }
        number = place
        try refuseIrregular()
    }

    /// Closes the descriptor of anything but a regular file, with an error.
    private func refuseIrregular() throws(SystemProblem) {
        var found = stat()
        let problem = fstat(number, &found) == 0 ? nil : Descriptor.problem()
        if problem == nil, found.st_mode & S_IFMT == S_IFREG { return }
        close()
        let isFolder = found.st_mode & S_IFMT == S_IFDIR
        throw problem ?? SystemProblem(description: isFolder ? "it is a folder" : "it is not a regular file")
    }

    /// Whether the process may open this many more.
    static func areFree(_ count: Int) -> Bool {
        var opened: [Descriptor] = []
        defer { for descriptor in opened { descriptor.close() } }
        while opened.count < count {
            guard let descriptor = try? Descriptor(opening: "/dev/null", O_RDONLY) else { return false }
            opened.append(descriptor)
        }
        return true
    }

    /// Whether there is an executable file at a path.
    static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

    /// Checks that a file can be made or written, without changing it.
    ///
    /// - Throws: ``SystemProblem`` with the reason that opening it would have.
    static func checkCreation(of path: String) throws(SystemProblem) {
        var found = stat()
        if stat(path, &found) == 0 {
            if found.st_mode & S_IFMT == S_IFDIR { throw SystemProblem(description: String(cString: strerror(EISDIR))) }
            if access(path, W_OK) != 0 { throw problem() }
            return
        }
        guard errno == ENOENT else { throw problem() }
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? "."
        if access(String(folder), W_OK | X_OK) != 0 { throw problem() }
    }

    /// Whether a path is a regular file that isn't empty.
    static func hasContent(_ path: String) -> Bool {
        var found = stat()
        return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG && found.st_size > 0
    }

    /// The working folder of this process; `nil` if it no longer exists.
    static var workingFolder: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// A path with its links resolved; `nil` if it doesn't exist.
    static func realPath(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// Opens closed standard streams to nothing: a file or a connection would otherwise get their numbers, and receive
    /// the printed output.
    ///
    /// Reading and writing them fails as before.
    static func reserveStandardStreams() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Whether it is open, and for reading.
    var isOpenForReading: Bool {
        let flags = fcntl(number, F_GETFL)
        return flags >= 0 && flags & (O_WRONLY | O_RDWR) != O_WRONLY
    }

    /// Whether standard output and standard error have the same destination.
    static var outputAndErrorsAreOne: Bool {
        var (output, errors) = (stat(), stat())
        guard fstat(STDOUT_FILENO, &output) == 0, fstat(STDERR_FILENO, &errors) == 0 else { return false }
        return output.st_dev == errors.st_dev && output.st_ino == errors.st_ino
    }

    /// Whether a read would return immediately: with bytes, the end, or an error.
    var isReadable: Bool {
        var event = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, 0) == 1
    }

    /// Whether a write would not wait.
    var isWritable: Bool {
        var event = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return poll(&event, 1, 0) == 1
    }

    /// Reads at most `count` bytes, and waits for the first; none at the end.
    func read(_ count: Int) throws(SystemProblem) -> [UInt8] {
        while true {
            var result = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                result = Self.read(number, buffer.baseAddress, count)
                filled = max(0, result)
            }
            if result >= 0 { return bytes }
            switch errno {
            case EINTR: continue
            // A process that shares the stream has made it non-blocking.
            case EAGAIN: wait(for: POLLIN)
            case EBADF: throw SystemProblem(description: "it is not open for reading")
            default: throw Descriptor.problem()
            }
        }
    }

    /// Reads everything up to the end.
    ///
    /// - Throws: ``SystemProblem``, also if there is more than the limit.
    func readAll(upTo limit: ReadLimit) throws(SystemProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = try read(65_536)
            if more.isEmpty { return bytes }
            bytes += more
            if bytes.count > limit.byteCount {
                throw SystemProblem(description: "it is longer than \(limit.rawValue) MiB")
            }
        }
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``ClosedOutput`` if the reader has gone, ``SystemProblem`` for any other error.
    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Self.write(number, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else {
                switch errno {
                case EINTR: continue
                case EPIPE: throw ClosedOutput()
                // A process that shares the stream has made it non-blocking.
                case EAGAIN: wait(for: POLLOUT)
                case EBADF: throw SystemProblem(description: "it is not open for writing")
                default: throw Descriptor.problem()
                }
            }
        }
    }

    /// Waits until a read or write would not wait.
    private func wait(for events: some BinaryInteger) {
        var event = pollfd(fd: number, events: Int16(events), revents: 0)
        _ = poll(&event, 1, -1)
    }

    /// Closes the file.
    func close() { _ = Self.close(number) }

    /// The problem that the system's last call had.
    static func problem() -> SystemProblem { SystemProblem(description: String(cString: strerror(errno))) }

    // The system's calls under names that the methods above don't hide.
    #if canImport(Darwin)
    private static let read = Darwin.read
    private static let write = Darwin.write
    private static let close = Darwin.close
    #elseif canImport(Glibc)
    private static let read = Glibc.read
    private static let write = Glibc.write
    private static let close = Glibc.close
    #elseif canImport(Musl)
    private static let read = Musl.read
    private static let write = Musl.write
    private static let close = Musl.close
    #endif
}
