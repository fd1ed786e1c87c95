// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The URL of a curl command.
struct CurlURL {
    private(set) var text: String

    /// Adds the scheme `http` to a text without a scheme, as curl does.
    init(_ text: String) { self.text = URLShorthand.hasScheme(text) ? text : "http://\(text)" }

    /// A URL without the backslashes that protect brackets and braces from curl.
    ///
    /// - Throws: ``UsageMistake`` for a pattern, from which curl makes several requests.
    static func unescaped(_ text: String) throws(UsageMistake) -> String {
        var result: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                if let next = rest.first, isBracket(next) {
                    rest = rest.dropFirst()
                    result.append(next)
                } else {
                    result.append(byte)
                }
            case UInt8(ascii: "["):
                let address = rest.prefix { $0 != UInt8(ascii: "]") }
                guard isAddress(address), address.count < rest.count else { throw pattern(text) }
                rest = rest.dropFirst(address.count + 1)
                result += [byte] + Array(address) + [UInt8(ascii: "]")]
            case _ where isBracket(byte): throw pattern(text)
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Adds data of `-G` to the query.
    mutating func add(query data: String) {
        if data.isEmpty { return }
        let url = String(text.before("#"))
        let fragment = text.utf8.dropFirst(url.utf8.count).text
        let query = url.split(at: "?")?.behind
        let mark = query.map { $0.isEmpty || $0.ends(with: "&") ? "" : "&" } ?? "?"
        text = url + mark + data + fragment
    }

    /// Adds the name of a file if the path ends with a slash, or is missing.
    mutating func add(fileName file: String) {
        let url = String(text.before("?", "#"))
        let behind = text.utf8.dropFirst(url.utf8.count).text
        let authority = url.place(of: "://").map { String(url[$0.upperBound...]) } ?? url
        let hasPath = authority.has(anyOf: "/")
        if hasPath, !url.ends(with: "/") { return }
        let name = file.cut(atLast: "/").map { String($0.behind) } ?? file
        text = url + (hasPath ? "" : "/") + PercentEncoding.encode(name) + behind
    }

    private static func isBracket(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"): true
        default: false
        }
    }

    /// Whether the text in brackets is an IPv6 address rather than a range.
    private static func isAddress(_ bytes: Substring.UTF8View) -> Bool {
        bytes.filter { $0 == UInt8(ascii: ":") }.count > 1 && bytes.allSatisfy(isOfAddress)
    }

    private static func isOfAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "."): true
        default: UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
        }
    }

    private static func pattern(_ url: String) -> UsageMistake {
        UsageMistake(
            "cumulus curl does not support the pattern in the URL \(quotedURL(url))",
            hint: "-g sends brackets and braces unchanged"
        )
    }
}
