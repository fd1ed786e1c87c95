// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Parses a `.netrc` file by its bytes.
struct NetrcParser {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func entries() throws(NetrcProblem) -> [NetrcFile.Entry] {
        var entries: [NetrcFile.Entry] = []
        while let word = try word() {
            switch word {
            case "machine":
                let host = try value(of: word)
                entries.append(NetrcFile.Entry(host: host))
            case "default": entries.append(NetrcFile.Entry(host: nil))
            case "macdef": skipMacro()
            case "login", "password", "account":
                guard !entries.isEmpty else {
                    throw NetrcProblem("contains '\(word)' before the first 'machine'", line: line)
                }
                let value = try value(of: word)
                let last = entries.count - 1
                let isRepeated =
                    word == "login" ? entries[last].user != nil : word == "password" && entries[last].password != nil
                // Most likely a value is missing, and this word belongs to another entry.
                guard !isRepeated else { throw NetrcProblem("contains '\(word)' twice for one machine", line: line) }
                if word == "login" { entries[last].user = value }
                if word == "password" { entries[last].password = Secret(value) }
            // The word may be a secret.
            default:
                throw NetrcProblem(
                    "contains an unexpected word instead of 'machine', 'login' or 'password'",
                    line: line
                )
            }
        }
        return entries
    }

    private mutating func value(of name: String) throws(NetrcProblem) -> String {
        guard let value = try word(isValue: true) else { throw NetrcProblem("ends after '\(name)'", line: line) }
        return value
    }

    /// Reads the next word, without quotes; `nil` at the end.
    ///
    /// A value may begin with a `#`.
    private mutating func word(isValue: Bool = false) throws(NetrcProblem) -> String? {
        skipBlanks(andComments: !isValue)
        guard let first = peek else { return nil }
        var word: [UInt8] = []
        let isQuoted = first == UInt8(ascii: "\"")
        if isQuoted { position += 1 }
        while let byte = peek {
            if isQuoted ? byte == UInt8(ascii: "\"") : Self.isBlank(byte) { break }
            if byte == 0x0A { throw NetrcProblem("contains an unclosed quote", line: line) }
            position += 1
            if isQuoted, byte == UInt8(ascii: "\\"), let escaped = peek {
                position += 1
                word.append(Self.unescaped(escaped))
            } else {
                word.append(byte)
            }
        }
        if isQuoted {
            guard peek != nil else { throw NetrcProblem("contains an unclosed quote", line: line) }
            position += 1
        }
        guard let text = String(validating: word, as: UTF8.self), !word.contains(0) else {
            throw NetrcProblem("is not valid UTF-8", line: line)
        }
        return text
    }

    /// Skips blanks, and comments, which begin with a `#` at the start of a word and end with the line.
    private mutating func skipBlanks(andComments: Bool) {
        while let byte = peek {
            if andComments, byte == UInt8(ascii: "#") {
                while let byte = peek, byte != 0x0A { position += 1 }
            } else {
                guard Self.isBlank(byte) else { return }
                if byte == 0x0A { line += 1 }
                position += 1
            }
        }
    }

    /// Skips a macro, which ends at the next empty line.
    private mutating func skipMacro() {
        var wasBreak = false
        while let byte = peek {
            position += 1
            if byte == 0x0A {
                line += 1
                if wasBreak { return }
                wasBreak = true
            } else if byte != 0x0D {
                wasBreak = false
            }
        }
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    private static func unescaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: byte
        }
    }
}

/// The reason why a `.netrc` file can't be used, without any of the file's text.
public struct NetrcProblem: Error, Sendable, CustomStringConvertible {
    /// Whether the file doesn't exist.
    public let isMissing: Bool
    /// The problem, and its line.
    public let description: String

    init(_ reason: String, line: Int?) {
        isMissing = false
        description = "the netrc file \(reason)" + (line.map { " (line \($0))" } ?? "")
    }

    private init(_ path: String, _ code: CInt) {
        isMissing = code == ENOENT || code == ENOTDIR
        description = "the netrc file \(PeerText.printable(path)) can't be read: \(String(cString: strerror(code)))"
    }

    /// Reads a regular file that belongs to this user and that no other user may read or write.
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
            throw NetrcProblem("\(shown) can be read by other users; change it to mode 600 (chmod 600)", line: nil)
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
