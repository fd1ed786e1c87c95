// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The secrets of a token request, to be found in a server's text in each form in which they were sent.
struct QuotedSecrets: Sendable {
    private let texts: [String]

    /// Collects the secrets among a form's fields, and those of the client.
    init(in fields: [(String, String)], of client: OAuth2Client) {
        let others: Set = ["code", "device_code", "code_verifier"]
        let values = fields.filter { Redaction.isSecret($0.0) || others.contains($0.0) }.map(\.1)
        self.init(values + [client.secret?.revealed, QuotedSecrets.proof(client)].compactMap(\.self))
    }

    /// Secrets that were sent as they are.
    init(_ texts: [String] = []) { self.texts = texts.filter { !$0.isEmpty } }

    /// Whether a text quotes one of them: as it is, or escaped as in a form.
    func areQuoted(in text: String) -> Bool {
        guard !texts.isEmpty else { return false }
        // The text is decoded, since escapes differ in case, and a blank may be `+`.
        let blanks = String(decoding: text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
        let decoded = PercentEncoding.decode(text)
        let views = [text, decoded, PercentEncoding.decode(decoded), PercentEncoding.decode(blanks)]
        return texts.contains { secret in views.contains { $0.has(secret) } }
    }

    /// What Basic authentication sends; without padding, which an echo may lack.
    private static func proof(_ client: OAuth2Client) -> String? {
        guard client.secret != nil else { return nil }
        return TokenChannel.pair(client).parts(at: "=").first.map(String.init)
    }
}
