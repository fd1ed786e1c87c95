// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import CumulusCore

/// No line of a log contains a secret, at any level, wherever the secret was.
@Suite(.timeLimit(.minutes(10))) struct LoggedSecretsTests {
    private let log = LogRecorder()

    /// Names of secrets in many spellings.
    static let names = [
        "password", "passwd", "pwd", "passphrase", "client_secret", "clientSecret", "token", "access_token",
        "refreshToken", "id_token", "api_key", "apikey", "apiKey", "X-Api-Key", "key", "auth", "authorization",
        "signature", "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "sig", "session", "sessionid",
        "sid", "jwt", "assertion", "client_assertion", "code_verifier", "otp", "pin", "cvv", "csrf", "xsrf-token",
        "verification_code", "ticket", "SAMLResponse", "credential", "private_key", "mnemonic",
    ]

    private func site(_ respond: @escaping StubRoutes.Respond) -> Resource {
        Resource("https://ada:hunter2@a.example", transport: StubTransport(answering: respond)) {
            $0.logger = log.logger(.trace)
            $0.retry = RetryPolicy(limit: 1, backoff: RetryBackoff(base: .zero))
        }
    }

    private func expectNoSecret(_ note: Comment) {
        #expect(!log.lines.isEmpty, note)
        let leaks = log.lines.filter { "\($0)".contains("hunter2") }
        #expect(leaks.isEmpty, "\(note): \(leaks)")
    }

    @Test("a URL, a field, a cookie and a body of both directions", arguments: names)
    func exchange(name: String) async throws {
        let site = site { request in
            guard request.path != "/next" else { return .text("") }
            var headers: Headers = [
                .location: "https://ada:hunter2@a.example/next?\(name)=hunter2",
                .setCookie: "sid=hunter2; Path=/", "Link": "</next?\(name)=hunter2>; rel=\"next\"",
            ]
            if HTTPField.Name("X-\(name)") != nil { headers[Headers.Name("X-\(name)")] = "hunter2" }
            return .json([name: "hunter2"], status: .temporaryRedirect, headers: headers)
        }
        for body in [Payload.json([name: "hunter2"]), .form([name: "hunter2"])] {
            var headers: Headers = [
                .authorization: "Bearer hunter2", .cookie: "a=hunter2",
                "Referer": "https://x.example/?\(name)=hunter2",
            ]
            if HTTPField.Name("X-\(name)") != nil { headers[Headers.Name("X-\(name)")] = "hunter2" }
            _ = try await site["a;\(name)=hunter2"].post(body, query: [name: "hunter2"], headers: headers)
        }
        expectNoSecret("\(name)")
        #expect(log.texts.contains("Sending another request"))
    }

    @Test("the text of an error", arguments: names) func errorText(name: String) async throws {
        struct Refusal: Error, CustomStringConvertible { let description: String }
        for text in [
            "GET https://ada:hunter2@a.example/x?\(name)=hunter2 was refused", "sent \(name)=hunter2",
            "sent \(name): hunter2", "sent {\"\(name)\":\"hunter2\"}",
        ] {
            let site = site { request in
                switch request.path {
                case "/transport": .failure(TransportFailure(.connect, text, cause: Refusal(description: text)))
                case "/other": .failure(Refusal(description: text))
                default: .text(text, status: .badRequest)
                }
            }
            for path in ["transport", "other", "status"] {
                await #expect(throws: CumulusError.self) { try await site[segment: path].get(as: String.self) }
            }
        }
        expectNoSecret("\(name)")
    }
}
