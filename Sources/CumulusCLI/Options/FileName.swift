// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Names of files as they are shown and looked at.
enum FileName {
    /// What stands after the last slash.
    static func last(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Whether there is a folder of this name.
    static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR)
    }

    /// A name from a server or a user, made fit for a terminal (T-61): neither controls nor what turns the direction
    /// of text does anything.
    static func shown(_ name: String) -> String {
        let visible = name.unicodeScalars.map { scalar -> String in
            switch scalar.properties.generalCategory {
            case .format, .lineSeparator, .paragraphSeparator: "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
        return TerminalText.harmless(visible.joined(), keepsLines: false)
    }
}
