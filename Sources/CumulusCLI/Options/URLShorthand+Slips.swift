// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The words that are probably not meant as URLs.
extension URLShorthand {
    /// Refuses texts that are more likely a slip than a host.
    static func refuseSlips(_ text: String) throws(UsageMistake) {
        let bytes = text.utf8
        try refuseOtherWords(text)
        if bytes.starts(with: "//".utf8) {
            throw UsageMistake(
                "the URL \(quotedURL(text)) has no scheme",
                hint: "write https:\(SecretRedaction.suspectURL(text))"
            )
        }
        if bytes.first == UInt8(ascii: "/") {
            throw UsageMistake(
                "the URL \(quotedURL(text)) has no host",
                hint: "for this machine, write :\(SecretRedaction.suspectURL(text)); "
                    + "for a path below another URL, add --base URL"
            )
        }
        try refusePortAfterPath(text)
        let authority = bytes.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        if let (name, _) = authority.text.split(at: "="), !name.has(anyOf: "@") {
            // Its value may be a secret.
            throw UsageMistake(
                "\(quoted("\(name)=")) begins an item, not a URL",
                hint: "write the URL before items"
            )
        }
        for name in ["https", "http"] {
            guard bytes.prefix(name.utf8.count).text.lowercased() == name else { continue }
            let rest = bytes.dropFirst(name.utf8.count)
            if rest.starts(with: "//".utf8) {
                throw UsageMistake("the URL lacks a colon after \(quoted(name))", hint: "write \(name)://HOST/PATH")
            }
            guard rest.first == UInt8(ascii: ":"), let next = rest.dropFirst().first else { continue }
            let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= next | 0x20
            if next == UInt8(ascii: "/") || isLetter || next >= 0x80 {
                throw UsageMistake(
                    "the URL lacks a slash after \(quoted("\(name):"))",
                    hint: "write \(name)://HOST/PATH"
                )
            }
        }
    }

    /// Refuses words that can't be URLs, such as the value of another program's option.
    private static func refuseOtherWords(_ text: String) throws(UsageMistake) {
        if RequestItem.beginsAsJSON(text) {
            throw UsageMistake(
                "JSON text is not a URL",
                hint: "--raw TEXT sends it as the body; name:=JSON sends a value"
            )
        }
        if text == "-" {
            throw UsageMistake("'-' is not a URL", hint: "@- after the URL sends standard input as the body")
        }
        if let name = text.split(at: ":")?.before, MethodName.isKnown(name), name == name.uppercased() {
            throw UsageMistake(
                "a space is missing after \(quoted(name))",
                hint: "for example cumulus \(name) :3000/path"
            )
        }
        let afterDigits = text.utf8.drop { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        if afterDigits.first == UInt8(ascii: "/"), afterDigits.startIndex > text.startIndex {
            throw UsageMistake(
                "the URL \(quotedURL(text)) has no host",
                hint: "write :\(SecretRedaction.suspectURL(text)) for a port on this machine"
            )
        }
        if afterDigits.isEmpty {
            throw UsageMistake(
                "\(quoted(text)) is not a URL",
                hint: ":\(text) is a port on this machine; --max-time \(text) is a time limit"
            )
        }
    }

    /// Refuses `localhost/list:3000`, which is a path on port 80.
    private static func refusePortAfterPath(_ text: String) throws(UsageMistake) {
        guard let (host, rest) = text.split(at: "/"), isLoopback(host.lowercased()),
            let colon = rest.utf8.lastIndex(of: UInt8(ascii: ":")), !rest.has(anyOf: "?", "#"),
            let port = UInt16(rest[rest.utf8.index(after: colon)...]), port > 99
        else { return }
        throw UsageMistake(
            "the port comes after the path",
            hint:
                "write \(host):\(port)/\(SecretRedaction.suspectURL(rest[..<colon].utf8.text)), or put http:// in front "
                + "if the path really ends in :\(port)"
        )
    }
}
