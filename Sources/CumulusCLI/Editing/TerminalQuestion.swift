// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Asks on the controlling terminal, whatever standard input and output are.
enum TerminalQuestion {
    /// The line that was typed; `nil` where there is no terminal, or nothing more to come from it.
    static func ask(_ question: String) throws -> String? {
        guard let terminal = try? Descriptor(opening: "/dev/tty", O_RDWR) else { return nil }
        defer { terminal.close() }
        try terminal.write(Array(question.utf8))
        var line: [UInt8] = []
        while let byte = try terminal.read(1).first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }
}
