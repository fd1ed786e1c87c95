// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Matches hosts with a cookie's domain (RFC 6265bis section 5.1).
enum CookieDomain {
    /// The canonical form of a host, without a trailing dot.
    static func canonical(_ host: String) -> String {
        host.ends(with: ".") ? String(host.utf8.dropLast()) ?? host : host
    }

    /// Whether a host is an IP address, which has no parent domains.
    static func isAddress(_ host: String) -> Bool {
        // A name's last label is never a number (Origin+Parsing).
        var isNumber = false
        var isBeginning = true
        for byte in host.utf8 {
            switch byte {
            case UInt8(ascii: ":"): return true
            case UInt8(ascii: "."): (isBeginning, isNumber) = (true, false)
            case UInt8(ascii: "0")...UInt8(ascii: "9"): (isBeginning, isNumber) = (false, isBeginning || isNumber)
            default: (isBeginning, isNumber) = (false, false)
            }
        }
        return isNumber
    }

    /// Whether a host is the domain, or below it.
    static func matches(_ host: String, _ domain: String) -> Bool {
        host == domain
            || host.ends(with: domain) && !isAddress(host)
                && host.utf8.dropLast(domain.utf8.count).last == UInt8(ascii: ".")
    }

    /// Whether a text can be a domain: a name or an address in lower case.
    static func isSound(_ domain: String) -> Bool {
        let isPlain = domain.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            // In an IPv6 address.
            case UInt8(ascii: ":"): true
            default: false
            }
        }
        return isPlain && 1...253 ~= domain.utf8.count && !domain.parts(at: ".").contains { $0.isEmpty }
    }

    /// Whether two origins are of the same site: the same scheme and registered name.
    static func areOneSite(_ one: Origin, _ other: Origin) -> Bool {
        guard one.scheme == other.scheme else { return false }
        let (left, right) = (canonical(one.host), canonical(other.host))
        if left == right { return true }
        guard !isAddress(left), !isAddress(right), let name = PublicSuffixes.registeredName(of: left) else {
            return false
        }
        return name == PublicSuffixes.registeredName(of: right)
    }
}

/// Matches requests with a cookie's path (RFC 6265bis section 5.1.4).
enum CookiePath {
    private static let slash = UInt8(ascii: "/")

    /// The default path of a cookie: that of its request up to the last slash.
    static func standard(for path: Substring) -> String {
        guard let last = path.utf8.lastIndex(of: slash), last > path.startIndex, path.utf8.first == slash else {
            return "/"
        }
        return String(path[..<last])
    }

    /// Whether a path is the cookie's, or below it.
    static func matches(_ path: Substring, _ cookie: String) -> Bool {
        guard path.utf8.starts(with: cookie.utf8) else { return false }
        return cookie.utf8.last == slash || path.utf8.count == cookie.utf8.count
            || path.utf8.dropFirst(cookie.utf8.count).first == slash
    }
}
