// SPDX-License-Identifier: Apache-2.0

@testable import Command
@testable import CumulusCore

/// The command's shorthand names the host that RFC 3986 and the library read, or is refused.
enum CommandURLTarget: FuzzTarget {
    static let name = "command-url"

    static func check(_ input: UnsafeRawBufferPointer) {
        let argument = String(decoding: input, as: UTF8.self)
        guard let url = try? URLShorthand(parsing: argument) else { return }
        let shown = argument.debugDescription
        let host = url.url.origin.host
        let read = try? RequestURL("\(url.url)")
        expect(read?.origin.host == host, "\(shown) is \(url.url), which reads as \(String(describing: read))")
        let typed = plainHost(argument)
        // Percent-encoded letters are decoded before they are mapped.
        if typed.utf8.contains(UInt8(ascii: "%")) { return }
        let named = typed.utf8.allSatisfy { $0 < 0x80 } ? typed : try? HostName.ascii(typed)
        expect(host == named, "\(shown) goes to \(host)")
        expect(host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(shown) goes to \(host), which is not ASCII")
    }

    /// What stands behind the last `@` of what stands before `/`, `?` and `#`, read byte by byte.
    private static func plainHost(_ argument: String) -> String {
        var bytes = Array(argument.utf8)[...]
        if bytes.starts(with: "://".utf8) {
            bytes = bytes.dropFirst(3)
        } else if bytes.first == UInt8(ascii: ":"), !bytes.starts(with: "::".utf8) {
            return "localhost"
        } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8),
            URLShorthand.hasScheme(argument)
        {
            bytes = bytes[(colon + 3)...]
        }
        var authority = bytes.prefix { !"/?#\\".utf8.contains($0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        if authority.first == UInt8(ascii: "[") {
            authority = authority.dropFirst().prefix { $0 != UInt8(ascii: "]") }
        } else {
            authority = authority.prefix { $0 != UInt8(ascii: ":") }
        }
        return String(decoding: authority, as: UTF8.self).lowercased()
    }
}
