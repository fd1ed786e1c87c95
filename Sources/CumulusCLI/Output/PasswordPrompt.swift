// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Asks for a password on the controlling terminal, whatever standard input and output are.
enum PasswordPrompt {
    /// The password; `nil` where there is no terminal or it was left.
    static func ask(_ prompt: String) -> String? {
        guard let terminal = try? Descriptor(opening: "/dev/tty", O_RDWR) else { return nil }
        defer { terminal.close() }
        var shown = termios()
        guard tcgetattr(terminal.number, &shown) == 0 else { return nil }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(terminal.number, TCSAFLUSH, &hidden) == 0 else { return nil }
        defer {
            _ = tcsetattr(terminal.number, TCSAFLUSH, &shown)
            try? terminal.write(Array("\n".utf8))
        }
        try? terminal.write(Array(prompt.utf8))
        var line: [UInt8] = []
        while let byte = try? terminal.read(1).first, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}
