// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

/// The secrets in printed requests and heads.
@Suite struct SecretRedactionTests {
    @Test(
        "names of secrets are recognized, ordinary ones are not",
        arguments: [
            ("access_token", true), ("accessToken", true), ("PASSWORD", true), ("user[password]", true), ("pwd", true),
            ("client-secret", true), ("sig", true), ("token\u{301}", true), ("session_id", true), ("sid", true),
            ("author", false), ("keyword", false), ("name", false), ("side", false), ("opinion", false),
            ("code_verifier", true), ("device_code", true), ("SAMLResponse", true), ("samlresponse", true),
            ("DPoP", true), ("X-OTP", true), ("otp_code", true), ("otpCode", true), ("X-Pass", true), ("userPIN", true),
            ("pin2", true), ("jwt", true), ("idJwt", true), ("sessid", true), ("PHPSESSID", true),
            ("connect.sid", true),
            ("ticket", true), ("mfa_code", true), ("X-MFA", true), ("2fa", true), ("code", true), ("user[code]", true),
            ("apikey", true), ("monkey_key", true), ("authorize", true), ("author_token", true),
            ("keyboardToken", true), ("psk", true), ("wifi_psk", true), ("Passwort", true), ("mnemonic", true),
            ("barcode", false), ("pinned", false), ("PINNED", false), ("country_code", false), ("postalCode", false),
            ("status_code", false), ("monkey", false), ("keyboard", false), ("keyboard_layout", false),
            ("compass", false), ("passenger", false), ("authors", false), ("codec", false), ("spin", false),
            ("AccountSid", false), ("mfa_enabled", false), ("", false), ("_", false), ("A", false),
        ]
    )
    func names(name: String, isSecret: Bool) { #expect(SecretRedaction.isSecret(name) == isSecret) }

    @Test(
        "a query's secrets are hidden however they are written",
        arguments: [
            ("/x?q=1&access_token=hunter2&b=2", "/x?q=1&access_token=<redacted>&b=2"),
            ("/x?q=1;access_token=hunter2", "/x?q=1;access_token=<redacted>"),
            ("/x?access%5Ftoken=hunter2", "/x?access%5Ftoken=<redacted>"),
            ("/x#access_token=hunter2", "/x#access_token=<redacted>"),
            ("/x?a=b?token=hunter2", "/x?a=b?token=<redacted>"), ("/x", "/x"), ("/x?", "/x?"), ("/x?token", "/x?token"),
            ("/p;jsessionid=hunter2/q;v=1?a=b", "/p;jsessionid=<redacted>/q;v=1?a=b"),
            ("/p;JSESSION%49D=hunter2", "/p;JSESSION%49D=<redacted>"),
            ("/x?next=http%3A%2F%2Fh%2F%3Ftoken%3Dhunter2&a=1", "/x?next=<redacted>&a=1"),
            ("/x?next=http%3A%2F%2Fh%2F%3Fa%3D1", "/x?next=http%3A%2F%2Fh%2F%3Fa%3D1"),
        ]
    )
    func targets(target: String, shown: String) { #expect(SecretRedaction.target(target) == shown) }

    @Test(
        "header fields show their parts that are not secret",
        arguments: [
            ("Authorization", "Basic YWRhOnB3", "Basic <redacted>"), ("Authorization", "hunter2 x", "<redacted>"),
            ("Authorization", "hunter2", "<redacted>"), ("Cookie", "a=b", "<redacted>"),
            ("X-Api-Key", "k", "<redacted>"), ("Accept", "text/*", "text/*"),
            ("X-Original-URL", "http://u:hunter2@h/?a=1", "http://<redacted>@h/?a=1"),
            ("X-Forwarded-Uri", "/?token=hunter2", "/?token=<redacted>"), ("Accept", "a/b;v=1;key=x", "a/b;v=1;key=x"),
            ("Referer", "https://ada:pw@h/x?token=t&a=1", "https://<redacted>@h/x?token=<redacted>&a=1"),
        ]
    )
    func fields(name: String, value: String, shown: String) { #expect(SecretRedaction.value(value, of: name) == shown) }

    @Test("a response's cookies are shown without values, and challenges are shown")
    func answers() {
        func shown(_ value: String, _ name: String) -> String {
            SecretRedaction.value(value, of: name, isResponse: true)
        }
        #expect(
            shown("sid=hunter2; Path=/; HttpOnly; x=hunter2", "Set-Cookie")
                == "sid=<redacted>; Path=/; HttpOnly; <redacted>"
        )
        #expect(shown("hunter2", "Set-Cookie") == "<redacted>")
        #expect(shown("Basic realm=\"x\"", "WWW-Authenticate") == "Basic realm=\"x\"")
        #expect(shown("/next?code_token=hunter2", "Location") == "/next?code_token=<redacted>")
    }

    @Test(
        "a text meant as a URL loses everything that may be a password",
        arguments: [
            ("https://ada:hunter2@h/x", "https://<redacted>@h/x"), ("ada:hun/ter2@h", "<redacted>@h"),
            ("ada:hunter2\u{301}@h", "<redacted>@h"), ("h/x?token=hunter2", "h/x?token=<redacted>"), ("word", "word"),
        ]
    )
    func suspects(text: String, shown: String) { #expect(SecretRedaction.suspectURL(text) == shown) }
}
