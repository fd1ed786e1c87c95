// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The hosts of a block: a name in which `*` matches any characters and `?` matches one, with an optional port.
struct HostPattern: Equatable, Sendable {
    private let host: [UInt8]
    private let port: Int?

    /// Parses `api.example.com`, `*.example.com`, `localhost:3000`, `[::1]:80`; `nil` for anything else.
    init?(_ text: String) {
        var name = text
        var port: Int?
        let isAddress = text.utf8.first == UInt8(ascii: "[")
        let lastColon = text.utf8.lastIndex(of: UInt8(ascii: ":"))
        let bracket = text.utf8.lastIndex(of: UInt8(ascii: "]"))
        if let lastColon, !isAddress || bracket.map({ lastColon > $0 }) == true {
            guard let number = Int(text[text.index(after: lastColon)...]), 1...65_535 ~= number else { return nil }
            port = number
            name = String(text[..<lastColon])
        }
        guard !name.isEmpty, !name.has(anyOf: "/", " ", "@", "#") else { return nil }
        host = Array(name.lowercased().utf8)
        self.port = port
    }

    /// The only matching host, with its port; `nil` if there may be several.
    var name: String? {
        guard !host.contains(UInt8(ascii: "*")), !host.contains(UInt8(ascii: "?")) else { return nil }
        return String(decoding: host, as: UTF8.self) + (port.map { ":\($0)" } ?? "")
    }

    /// Whether the pattern matches an origin.
    func fits(_ origin: Origin) -> Bool {
        if let port, port != origin.port { return false }
        let name = Array(origin.host.lowercased().utf8)
        if host.first == UInt8(ascii: "["), name.first != UInt8(ascii: "[") {
            return HostPattern.fits(host.dropFirst().dropLast(), name[...])
        }
        return HostPattern.fits(host[...], name[...])
    }

    /// Whether a pattern matches a name; backtracks to the last star only, so that no pattern takes long.
    private static func fits(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
        var (pattern, name) = (pattern, name)
        var star: (pattern: ArraySlice<UInt8>, name: ArraySlice<UInt8>)?
        while let byte = name.first {
            if pattern.first == UInt8(ascii: "*") {
                pattern = pattern.dropFirst()
                star = (pattern, name)
            } else if pattern.first == byte || pattern.first == UInt8(ascii: "?") {
                (pattern, name) = (pattern.dropFirst(), name.dropFirst())
            } else if let last = star {
                star = (last.pattern, last.name.dropFirst())
                (pattern, name) = (last.pattern, last.name.dropFirst())
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
