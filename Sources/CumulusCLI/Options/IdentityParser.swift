// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Works out who sends the request; no message quotes a password or a token.
struct IdentityParser {
    private let options: AuthorizationOptions

    init(_ options: AuthorizationOptions) { self.options = options }

    /// The identity that the options name, else the one that stood in the URL, else none.
    func identity(userInfo: String?) throws(UsageMistake) -> Plan.Identity? {
        guard let text = options.auth else {
            if options.authType != nil { throw UsageMistake("--auth-type says how, but no --auth says who") }
            return userInfo.map(IdentityParser.fromURL)
        }
        if options.authType == .bearer {
            guard !text.isEmpty, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                throw UsageMistake("the token of --auth is empty or holds a character that no header can carry")
            }
            return .bearer(Secret(text))
        }
        guard let colon = text.firstIndex(of: ":") else { return .basic(user: text, password: nil) }
        return .basic(user: String(text[..<colon]), password: Secret(String(text[text.index(after: colon)...])))
    }

    private static func fromURL(_ text: String) -> Plan.Identity {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let password = parts.count > 1 ? decoded(parts[1]) : ""
        return .basic(user: decoded(parts.first ?? ""), password: Secret(password))
    }

    /// Resolves percent-escapes (RFC 3986 section 2.1); what is none stays.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = String(Substring(rest.prefix(2)))
            let isEscape = byte == UInt8(ascii: "%") && digits.count == 2 && digits.allSatisfy(\.isHexDigit)
            if isEscape, let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
