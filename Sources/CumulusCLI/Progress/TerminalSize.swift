// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The size of a terminal.
struct TerminalSize: Equatable, Sendable {
    var columns: Int
    var rows: Int

    /// The assumed size if a terminal doesn't report one.
    static let usual = TerminalSize(columns: 80, rows: 24)

    /// Asks the terminal; each drawing does, so that no signal is needed when the size changes.
    static func of(_ descriptor: Int32, environment: [String: String]) -> TerminalSize {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let columns = isKnown ? Int(size.ws_col) : environment["COLUMNS"].flatMap { Int($0) } ?? usual.columns
        return TerminalSize(
            columns: min(max(columns, 1), 1_000),
            rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : usual.rows
        )
    }
}
