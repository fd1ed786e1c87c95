// SPDX-License-Identifier: Apache-2.0

/// Recognizes the names of header fields, query items, form fields and members whose values are never printed.
package enum Redaction {
    private static let exact: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "cookie2", "www-authenticate",
        "proxy-authenticate", "authentication-info", "x-amz-security-token", "signature-input",
    ]
    /// Secret wherever they are in a name.
    private static let parts = [
        "token", "secret", "password", "passwd", "passphrase", "passcode", "pwd", "auth", "session", "sessid", "key",
        "credential", "signature", "bearer", "passwort", "mnemonic",
    ].map { Array($0.utf8) }
    /// Ordinary words that contain one of those parts.
    private static let harmless = [
        "author", "monkey", "donkey", "turkey", "hockey", "jockey", "whiskey", "keyboard", "keyword", "keynote",
        "keypad", "keypress", "keyframe", "keystroke", "keystone", "keyhole",
    ].map { Array($0.utf8) }
    /// Secret as words of their own, since they are too short to be looked for within others.
    private static let words: Set<String> = [
        "pass", "pw", "psk", "pin", "otp", "totp", "hotp", "sig", "jwt", "cvv", "cvc", "assertion", "ticket", "dpop",
        "verifier", "csrf", "xsrf", "samlresponse", "samlrequest", "samlart",
    ]
    /// Secret as a name's last word.
    private static let lastWords: Set<String> = ["mfa", "tfa", "2fa"]
    /// What makes a code a secret, unlike a country's or an error's.
    private static let codes: Set<String> = [
        "device", "user", "otp", "totp", "mfa", "tfa", "2fa", "sms", "authorization", "verification", "verify",
        "confirmation", "recovery", "backup", "security", "reset", "login", "access", "activation", "grant", "invite",
        "invitation", "pairing", "unlock", "magic",
    ]

    private static let naming: Set<String> = ["field", "id", "property", "header", "k"]

    /// Whether a field of this name may hold a secret.
    package static func isSecret(_ name: String) -> Bool {
        let lower = name.lowercased()
        if exact.contains(lower) { return true }
        // By bytes: a mark or joiner after a part must not hide it.
        let bytes = withoutHarmless(Array(lower.utf8))
        if parts.contains(where: { place(of: $0, in: bytes[...]) != nil }) { return true }
        return hasSecretWord(name)
    }

    /// Whether a member of this name tells what its sibling is, as in `{"name":"password","value":"..."}`.
    package static func namesSibling(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.ends(with: "name") || name.ends(with: "key") || naming.contains(name)
    }

    /// Whether a member of this name is what a sibling names.
    package static func isNamedBySibling(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.ends(with: "value") || name == "val" || name == "v"
    }

    /// A field's value, or a placeholder.
    package static func value(_ value: String, of name: String) -> String { isSecret(name) ? "<redacted>" : value }

    private static func withoutHarmless(_ name: [UInt8]) -> [UInt8] {
        var name = name
        for word in harmless {
            var start = 0
            while let found = place(of: word, in: name[start...]) {
                start = found + word.count
                // `authorize` is no author.
                if word.starts(with: "author".utf8), start < name.count, name[start] == UInt8(ascii: "i") { continue }
                for index in found..<start { name[index] = UInt8(ascii: " ") }
            }
        }
        return name
    }

    private static func hasSecretWord(_ name: String) -> Bool {
        let tokens = self.tokens(of: name.utf8)
        if tokens.contains(where: { words.contains(lower($0)) || lower($0) == "sid" }) { return true }
        let names = tokens.flatMap(NameWords.split).map(lower)
        if names.contains(where: { words.contains($0) || words.contains(withoutNumber($0)) }) { return true }
        guard let last = names.last.map({ lastWords.contains($0) ? $0 : withoutNumber($0) }) else { return false }
        if lastWords.contains(last) { return true }
        guard last.ends(with: "code") else { return false }
        let kind = last.utf8.dropLast(4)
        return kind.isEmpty
            ? names.count == 1 || codes.contains(names[names.count - 2]) : codes.contains(String(Substring(kind)))
    }

    /// The runs of ASCII letters and digits.
    private static func tokens(of name: String.UTF8View) -> [Substring.UTF8View] {
        name.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                false
            default: true
            }
        }
    }

    private static func lower(_ word: Substring.UTF8View) -> String { String(Substring(word)).lowercased() }

    private static func withoutNumber(_ word: String) -> String {
        var bytes = word.utf8[...]
        while let last = bytes.last, UInt8(ascii: "0")...UInt8(ascii: "9") ~= last { bytes = bytes.dropLast() }
        return String(Substring(bytes))
    }

    private static func place(of part: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= part.count else { return nil }
        return (bytes.startIndex...bytes.endIndex - part.count).first {
            bytes[$0] == part[0] && bytes[$0...].starts(with: part)
        }
    }
}

/// The words of a name that are told apart by changes of case: `otpCode`, `SAMLResponse`.
private enum NameWords {
    static func split(_ name: Substring.UTF8View) -> [Substring.UTF8View] {
        var words: [Substring.UTF8View] = []
        var start = name.startIndex
        var place = start
        while place < name.endIndex {
            let next = name.index(after: place)
            let begins =
                isCapital(name[place]) && place > start
                // The last of several capitals begins the next word if that goes on in lower case.
                && (!isCapital(name[name.index(before: place)])
                    || next < name.endIndex && name[next] | 0x20 == name[next] && name[next] > UInt8(ascii: "9"))
            if begins {
                words.append(name[start..<place])
                start = place
            }
            place = next
        }
        return words + [name[start...]]
    }

    private static func isCapital(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }
}
