// SPDX-License-Identifier: Apache-2.0

/// Which hosts a cookie's domain stands for (RFC 6265bis section 5.1).
enum CookieDomain {
    /// A host as cookies know it: the same with and without the dot of the root at its end.
    static func canonical(_ host: String) -> String {
        host.ends(with: ".") ? String(host.utf8.dropLast()) ?? host : host
    }

    /// Whether a host is an address, which has no domains above it.
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

    /// Whether a host is the domain's own, or one below it.
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
            // Of an address in its IPv6 form.
            case UInt8(ascii: ":"): true
            default: false
            }
        }
        return isPlain && 1...253 ~= domain.utf8.count && !domain.parts(at: ".").contains { $0.isEmpty }
    }

    /// Whether two origins are of one site: the same scheme, and below one registered name.
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
