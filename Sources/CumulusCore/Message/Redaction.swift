// SPDX-License-Identifier: Apache-2.0

/// Which header fields hold secrets: their values are never printed.
enum Redaction {
    private static let exact: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "cookie2", "www-authenticate",
        "proxy-authenticate", "authentication-info", "x-api-key", "api-key", "apikey", "x-amz-security-token",
        "signature", "signature-input", "x-csrf-token", "x-xsrf-token",
    ]
    private static let parts = ["token", "secret", "password", "passwd", "auth", "session", "key", "credential"]

    /// Whether a field of this name may hold a secret.
    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return exact.contains(name) || parts.contains { name.contains($0) }
    }

    /// A field's value, or a word in its place.
    static func value(_ value: String, of name: String) -> String { isSecret(name) ? "<redacted>" : value }
}
