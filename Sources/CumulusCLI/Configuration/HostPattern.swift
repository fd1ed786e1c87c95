// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The hosts of a block: a name in which `*` matches any characters and `?` matches one, with an optional port.
struct HostPattern: Equatable, Sendable {
    private let host: [UInt8]
    private let port: Int?
    /// The address that the host is; `nil` for a name, and for a pattern.
    private let address: IPAddress?

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
        guard let host = isAddress ? HostPattern.address(name) : HostPattern.name(name) else { return nil }
        address = isAddress ? HostPattern.number(host) : nil
        self.host = Array(host.lowercased().utf8)
        self.port = port
    }

    /// An address in brackets, in the form that an origin has; one with wildcards stays as it is.
    private static func address(_ text: String) -> String? {
        guard text.ends(with: "]") else { return nil }
        let inner = text.utf8.dropFirst().dropLast()
        guard !inner.isEmpty, inner.allSatisfy({ isHexadecimal($0) || ":.*?".utf8.contains($0) }) else { return nil }
        if inner.contains(where: { "*?".utf8.contains($0) }) { return text }
        return (try? RequestURL("http://\(text)/")).map { $0.origin.host }.map { $0.begins(with: "[") ? $0 : "[\($0)]" }
    }

    /// An IPv6 address as a number, since it can be written in several forms; `nil` for anything else.
    private static func number(_ host: String) -> IPAddress? {
        guard host.has(anyOf: ":") else { return nil }
        return IPAddress(host.begins(with: "[") && host.ends(with: "]") ? host.utf8.dropFirst().dropLast().text : host)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
    }

    /// A name in the form that an origin has: in ASCII, label by label.
    private static func name(_ text: String) -> String? {
        guard !text.isEmpty, !text.has(anyOf: "/", " ", "@", "#", "[", "]", ":", "\\", "%") else { return nil }
        var labels: [String] = []
        for label in text.parts(at: ".") {
            if label.utf8.allSatisfy({ $0 < 0x80 }) {
                labels.append(label)
            } else {
                guard !label.has(anyOf: "*", "?"), let url = try? RequestURL("http://\(label)/") else { return nil }
                labels.append(url.origin.host)
            }
        }
        return labels.joined(separator: ".")
    }

    /// The only matching host, with its port; `nil` if there may be several.
    var name: String? {
        guard !host.contains(UInt8(ascii: "*")), !host.contains(UInt8(ascii: "?")) else { return nil }
        return String(decoding: host, as: UTF8.self) + (port.map { ":\($0)" } ?? "")
    }

    /// Whether the pattern matches an origin.
    func fits(_ origin: Origin) -> Bool {
        if let port, port != origin.port { return false }
        if let address { return HostPattern.number(origin.host) == address }
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
