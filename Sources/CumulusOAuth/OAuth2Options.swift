// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The options of token requests: the scope, additional fields, and times.
public struct OAuth2Options: Sendable {
    /// The scope to request, separated by spaces (RFC 6749 section 3.3); `nil` leaves it to the server.
    public var scope: String?
    /// The services that the token is for (RFC 8707): absolute URLs.
    public var resources: [String]
    /// Additional fields of token requests that a server may require: `["audience": "https://api.example.com"]`.
    public var parameters: KeyValuePairs<String, String>
    /// The maximum time before its expiration at which a token is renewed.
    ///
    /// The actual time is a random fraction of this maximum, at least half, so that many programs don't renew their
    /// tokens at the same time. It is never more than a quarter of the token's lifetime.
    public var earlyRefresh: Duration
    /// The time that a person may take to sign in if the server sets no limit.
    public var loginTimeout: Duration
    /// The source of random numbers for states, verifiers and renewal times; tests set their own.
    public var random: @Sendable () -> UInt64
    /// The current time, for tokens that outlive the process.
    var now: @Sendable () -> Date = { Date() }

    /// Creates options.
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

    /// The additional fields of a token request.
    var fields: [(String, String)] {
        (scope.map { [("scope", $0)] } ?? []) + resources.map { ("resource", $0) }
            + parameters.map { ($0.key, $0.value) }
    }

    /// How long before its expiration a token is renewed, for a lifetime.
    func lead(for lifetime: Duration) -> Duration {
        let most = min(max(earlyRefresh, .zero), lifetime / 4)
        // A Double holds 53 bits exactly.
        let chance = Double(random() >> 11) / 0x1p53
        return most * (0.5 + chance / 2)
    }

    /// Random bytes in base64url.
    func nonce(_ count: Int) -> String {
        var bytes: [UInt8] = []
        while bytes.count < count { withUnsafeBytes(of: random()) { bytes.append(contentsOf: $0) } }
        return CodeVerifier.base64URL(Array(bytes.prefix(count)))
    }
}

extension OAuth2Options: Redacted {
    /// The scope, the resources, and the names of the additional fields, whose values may be secrets.
    public var description: String {
        let parts = [
            scope.map { "scope \(PeerText.printable($0))" },
            resources.isEmpty
                ? nil
                : "for \(resources.map(OAuth2Options.shown).joined(separator: ", "))",
            parameters.isEmpty ? nil : "with \(PeerText.printable(parameters.map(\.key).joined(separator: ", ")))",
        ]
        let text = parts.compactMap(\.self).joined(separator: ", ")
        return text.isEmpty ? "OAuth 2 options" : "OAuth 2 options: \(text)"
    }

    /// A resource's identifier, which may be a URI of any scheme, without user and query.
    private static func shown(_ resource: String) -> String {
        if let url = try? RequestURL(resource) { return url.redacted }
        return resource.has("@") ? "<redacted>" : PeerText.printable(String(resource.before("?")))
    }
}
