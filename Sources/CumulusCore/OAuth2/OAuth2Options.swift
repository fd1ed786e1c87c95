// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is asked of an authorization server besides a token, and when.
public struct OAuth2Options: Sendable {
    /// What the token should be good for, separated by spaces (RFC 6749 section 3.3); `nil` leaves it to the server.
    public var scope: String?
    /// The services it should be good for (RFC 8707): absolute URLs.
    public var resources: [String]
    /// Further fields of token requests, which a server may want: `["audience": "https://api.example.com"]`.
    public var parameters: KeyValuePairs<String, String>
    /// How long before its end a token is renewed, at most; half of it to all of it, by chance, so that many programs
    /// don't come at once, and never more than a quarter of the token's life.
    public var earlyRefresh: Duration
    /// How long a person may take to sign in where the server sets no limit.
    public var loginTimeout: Duration
    /// Random numbers for states, verifiers and for when to renew; tests put their own here.
    public var random: @Sendable () -> UInt64
    /// The time of day, for tokens that outlive the process.
    var now: @Sendable () -> Date = { Date() }

    /// Names the options.
    public init(
        scope: String? = nil,
        resources: [String] = [],
        parameters: KeyValuePairs<String, String> = [:],
        earlyRefresh: Duration = .seconds(30),
        loginTimeout: Duration = .seconds(300),
        random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
    ) {
        self.scope = scope
        self.resources = resources
        self.parameters = parameters
        self.earlyRefresh = earlyRefresh
        self.loginTimeout = loginTimeout
        self.random = random
    }

    /// The fields that are sent along with a request for a token.
    var fields: [(String, String)] {
        (scope.map { [("scope", $0)] } ?? []) + resources.map { ("resource", $0) }
            + parameters.map { ($0.key, $0.value) }
    }

    /// How long before its end a token of a lifetime is renewed.
    func lead(for lifetime: Duration) -> Duration {
        let most = min(max(earlyRefresh, .zero), lifetime / 4)
        // 53 bits are what a Double holds exactly.
        let chance = Double(random() >> 11) / Double(1 << 53)
        return most * (0.5 + chance / 2)
    }

    /// Random bytes in base64url.
    func nonce(_ count: Int) -> String {
        var bytes: [UInt8] = []
        while bytes.count < count { withUnsafeBytes(of: random()) { bytes.append(contentsOf: $0) } }
        return ProofKey.base64URL(Array(bytes.prefix(count)))
    }
}
