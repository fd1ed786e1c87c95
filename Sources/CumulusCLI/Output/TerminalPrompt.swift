// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Asks on the controlling terminal, regardless of standard input and output.
enum TerminalPrompt {
    /// The character for Ctrl-C.
    private static let interrupt: UInt8 = 3

    /// The terminal's settings while it asks.
    private static let usual = Mutex<termios?>(nil)

    /// Restores the terminal, if the process or the call ends while it asks; what was typed so far is dropped.
    static func restore() {
        let held = usual.withLock { usual in
            defer { usual = nil }
            return usual
        }
        guard var shown = held, let terminal = try? Descriptor(opening: "/dev/tty", O_RDWR) else {
            return
        }
        defer { terminal.close() }
        _ = tcsetattr(terminal.number, TCSAFLUSH, &shown)
        try? terminal.write(Array("\n".utf8))
    }

    /// Reads a typed line, shown or hidden like a password; `nil` if there is no terminal.
    ///
    /// - Throws: `CancellationError` for Ctrl-C and Ctrl-D, with the terminal restored.
    static func ask(_ prompt: String, hiding: Bool) throws -> String? {
        guard let terminal = try? Descriptor(opening: "/dev/tty", O_RDWR) else { return nil }
        defer { terminal.close() }
        var shown = termios()
        guard tcgetattr(terminal.number, &shown) == 0 else { return nil }
        var asking = shown
        // Ctrl-C arrives as a character that ends the line: a signal would leave the terminal without echo.
        asking.c_lflag &= ~tcflag_t(hiding ? ECHO | ISIG : ISIG)
        withUnsafeMutableBytes(of: &asking.c_cc) { $0[Int(VEOL)] = interrupt }
        usual.withLock { [shown] in $0 = shown }
        guard tcsetattr(terminal.number, TCSAFLUSH, &asking) == 0 else { return nil }
        defer {
            usual.withLock { $0 = nil }
            _ = tcsetattr(terminal.number, TCSAFLUSH, &shown)
            if hiding { try? terminal.write(Array("\n".utf8)) }
        }
        try? terminal.write(Array(prompt.utf8))
        var line: [UInt8] = []
        while true {
            guard let byte = try terminal.read(1).first, byte != interrupt else { throw CancellationError() }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
    }
}
