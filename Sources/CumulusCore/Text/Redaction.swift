// SPDX-License-Identifier: Apache-2.0

/// Recognizes header fields with secrets, whose values are never printed.
enum Redaction {
    private static let exact: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "cookie2", "www-authenticate",
        "proxy-authenticate", "authentication-info", "x-api-key", "api-key", "apikey", "x-amz-security-token",
        "signature-input", "x-csrf-token", "x-xsrf-token", "pass", "pwd", "pw", "pin", "otp", "totp", "sig", "sid",
        "jwt", "cvv", "cvc", "assertion", "client_assertion",
    ]
    private static let parts = [
        "token", "secret", "password", "passwd", "passphrase", "passcode", "auth", "session", "key", "credential",
        "signature", "bearer",
    ]

    /// Ordinary names that contain one of those parts.
    private static let harmless = ["author", "authors", "author_name", "author_id", "keyword", "keywords"]

    /// Whether a field of this name may hold a secret.
    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        if exact.contains(name) { return true }
        // By bytes: a mark or joiner after a part must not hide it.
        let bytes = Array(name.utf8)
        return parts.contains { contains($0, in: bytes) } && !harmless.contains(name)
    }

    private static func contains(_ part: String, in bytes: [UInt8]) -> Bool {
        let part = part.utf8
        guard bytes.count >= part.count else { return false }
        return (0...bytes.count - part.count).contains { bytes[$0...].starts(with: part) }
    }

    /// A field's value, or a placeholder.
    static func value(_ value: String, of name: String) -> String { isSecret(name) ? "<redacted>" : value }
}
