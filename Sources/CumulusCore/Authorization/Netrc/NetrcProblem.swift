// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Why a `.netrc` file can't be used; it quotes none of the file's text.
public struct NetrcProblem: Error, Sendable, CustomStringConvertible {
    /// Whether there is no such file.
    public let isMissing: Bool
    /// What is wrong, and in which line.
    public let description: String

    init(_ reason: String, line: Int?) {
        isMissing = false
        description = "the netrc file \(reason)" + (line.map { " (line \($0))" } ?? "")
    }

    private init(_ path: String, _ code: CInt) {
        isMissing = code == ENOENT || code == ENOTDIR
        description = "the netrc file \(PeerText.printable(path)) can't be read: \(String(cString: strerror(code)))"
    }

    /// Reads a plain file that belongs to this user and that nobody else may read or write.
    static func readOwnFile(_ path: String) throws(NetrcProblem) -> [UInt8] {
        let descriptor = path.utf8.contains(0) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw NetrcProblem(path, errno) }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw NetrcProblem(path, errno) }
        let shown = PeerText.printable(path)
        guard facts.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else {
            throw NetrcProblem("\(shown) is not a regular file", line: nil)
        }
        guard facts.st_uid == geteuid() else { throw NetrcProblem("\(shown) belongs to another user", line: nil) }
        guard facts.st_mode & 0o077 == 0 else {
            throw NetrcProblem("\(shown) can be read by others; give it mode 600 (chmod 600)", line: nil)
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= NetrcFile.largestSize {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw NetrcProblem(path, errno) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}
