// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Functions for paths of files.
enum PathName {
    /// The part after the last slash.
    static func last(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last?.text ?? path
    }

    /// Whether there is anything with this path.
    static func isTaken(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0
    }

    /// Whether there is a folder with this path.
    static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR)
    }

    /// A name from a server or a user, made safe for a terminal: nothing in it is a control or invisible.
    ///
    /// A path may be longer than other texts from peers, since its end is important.
    static func shown(_ name: String) -> String { PeerText.printable(name, limit: 1_000) }
}
