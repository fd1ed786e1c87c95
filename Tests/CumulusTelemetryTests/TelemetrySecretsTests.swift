// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTelemetry
import CumulusTesting
import HTTPTypes
import InMemoryTracing
import MetricsTestKit
import Testing

/// Nothing that telemetry records contains a secret of a URL, a header or a body.
@Suite(.timeLimit(.minutes(5))) struct TelemetrySecretsTests {
    /// Names of query items whose values may be secrets.
    private static let names = [
        "access_token", "refresh_token", "id_token", "token", "api_key", "apikey", "api-key", "key", "secret",
        "client_secret", "password", "passwd", "pwd", "pass", "code", "code_verifier", "state", "nonce", "assertion",
        "sig", "signature", "X-Amz-Signature", "X-Amz-Security-Token", "X-Amz-Credential", "X-Goog-Signature",
        "AWSAccessKeyId", "session", "sessionid", "jsessionid", "sid", "auth", "authorization", "otp", "pin", "ticket",
        "jwt", "SAMLResponse", "credential", "private_key", "q", "email",
    ]

    private func expectNoSecret(_ bench: TelemetryBench, _ note: Comment) {
        #expect(!bench.spans.isEmpty, note)
        #expect(!"\(bench.spans)".contains("hunter2"), note)
        let dimensions =
            bench.metrics.timers.map(\.dimensions) + bench.metrics.recorders.map(\.dimensions)
            + bench.metrics.meters.map(\.dimensions) + bench.metrics.counters.map(\.dimensions)
        #expect(!"\(dimensions)".contains("hunter2"), note)
    }

    @Test("a query item", arguments: names) func query(name: String) async throws {
        let bench = TelemetryBench { _ in .text("") }
        _ = try await bench.site["x"].get(query: ["\(name)": "hunter2"])
        _ = try await bench.site.follow("https://b.example/y?\(name)=hunter2&hunter2").get()
        expectNoSecret(bench, "\(name)")
        #expect(bench.spans[0]["url.full"] == "https://a.example/x?\(name)=REDACTED")
        #expect(bench.spans[1]["url.full"] == "https://b.example/y?\(name)=REDACTED&REDACTED")
    }

    @Test func userAndPasswordOfAURL() async throws {
        let bench = TelemetryBench("https://hunter2:hunter2@a.example/") { _ in .text("") }
        _ = try await bench.site.get()
        expectNoSecret(bench, "credentials")
        #expect(bench.spans[0]["url.full"] == "https://a.example/")
    }

    @Test func parameterOfAPath() async throws {
        let bench = TelemetryBench { _ in .text("") }
        _ = try await bench.site.follow("/a;jsessionid=hunter2/b").get()
        expectNoSecret(bench, "path parameter")
    }

    @Test(
        "a header field",
        arguments: [
            "Authorization", "Proxy-Authorization", "Cookie", "X-API-Key", "X-Auth-Token", "X-CSRF-Token", "Referer",
            "Forwarded", "X-Custom",
        ]
    ) func header(name: String) async throws {
        let bench = TelemetryBench { _ in
            .response(headers: [.setCookie: "a=hunter2", .location: "/x?token=hunter2", "X-Echo": "hunter2"])
        }
        _ = try await bench.site.with { $0.headers[Headers.Name(name)] = "hunter2" }.get()
        expectNoSecret(bench, "\(name)")
    }

    @Test func bodies() async throws {
        let bench = TelemetryBench { _ in .text("hunter2", status: .badRequest) }
        _ = try await bench.site.post(.text("hunter2"))
        expectNoSecret(bench, "bodies")
    }

    @Test("a peer's words in a failure", arguments: [TransportFailure.Kind.malformedResponse, .proxy, .other])
    func failure(kind: TransportFailure.Kind) async throws {
        struct Cause: Error, CustomStringConvertible { let description = "hunter2" }
        let bench = TelemetryBench { _ in .failure(TransportFailure(kind, "hunter2", cause: Cause())) }
        bench.site.setRules { $0.retry = .never }
        await #expect(throws: CumulusError.self) { try await bench.site.get() }
        expectNoSecret(bench, "\(kind)")
        let custom = TelemetryBench { _ in .failure(Cause()) }
        await #expect(throws: CumulusError.self) { try await custom.site.get() }
        expectNoSecret(custom, "custom error")
    }

    @Test func itemThatAnAuthorizerAdds() async throws {
        let bench = TelemetryBench { _ in .text("") }
        bench.site.setRules { $0.authorizers = [.apiKey("hunter2", query: "q")] }
        _ = try await bench.site.get()
        #expect(bench.transport.lastRequest?.query?.contains("hunter2") == true)
        expectNoSecret(bench, "authorizer")
    }
}
