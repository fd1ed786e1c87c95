// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The authorization that a service or an endpoint requires, and that the ``Service`` supplies.
public struct AuthorizationNeed: Sendable, Hashable {
    /// A kind of authorization.
    public enum Scheme: Sendable, Hashable {
        /// A user and password (RFC 7617).
        case basic
        /// A token in `Authorization` (RFC 6750).
        case bearer
        /// A user and password, hashed (RFC 7616).
        case digest
        /// A token obtained with OAuth 2, with these scopes.
        case oauth2(scopes: [String])
        /// A key in a header field.
        case keyInHeader(String)
        /// A key in the query.
        case keyInQuery(String)
        /// Any other scheme, by its name; set an authorizer for it.
        case other(String)
    }

    /// The accepted kinds, any one of which is enough; empty if no authorization is needed.
    public var schemes: [Scheme]
    /// Whether a call without authorization is refused before it is sent.
    public var isRequired: Bool

    /// Creates a requirement for one of the kinds of authorization.
    public init(_ schemes: [Scheme], required isRequired: Bool = true) {
        self.schemes = schemes
        self.isRequired = isRequired
    }

    /// No authorization: requests are sent without it, even if the service has credentials.
    public static let anonymous = AuthorizationNeed([], required: false)

    /// Creates a requirement for one of these kinds, without which a call is refused.
    public static func required(_ schemes: Scheme...) -> AuthorizationNeed { AuthorizationNeed(schemes) }

    /// Creates an optional requirement: one of these kinds is used if the service has credentials for it.
    public static func optional(_ schemes: Scheme...) -> AuthorizationNeed {
        AuthorizationNeed(schemes, required: false)
    }
}

extension AuthorizationNeed.Scheme: RawRepresentable {
    /// Creates a kind from `basic`, `bearer`, `digest`, `oauth2`, `oauth2 read write`, `header X-Api-Key`, `query
    /// api_key`, or any other word; `nil` if the text is empty.
    public init?(rawValue text: String) {
        let words = text.parts(at: " ", omitsEmpty: true).map(String.init)
        guard let first = words.first else { return nil }
        switch (first, words.count) {
        case ("basic", 1): self = .basic
        case ("bearer", 1): self = .bearer
        case ("digest", 1): self = .digest
        case ("oauth2", _): self = .oauth2(scopes: Array(words.dropFirst()))
        case ("header", 2): self = .keyInHeader(words[1])
        case ("query", 2): self = .keyInQuery(words[1])
        default: self = .other(text)
        }
    }

    /// The kind as written in a description.
    public var rawValue: String {
        switch self {
        case .basic: "basic"
        case .bearer: "bearer"
        case .digest: "digest"
        case .oauth2(let scopes): (["oauth2"] + scopes).joined(separator: " ")
        case .keyInHeader(let name): "header \(name)"
        case .keyInQuery(let name): "query \(name)"
        case .other(let name): name
        }
    }
}

extension AuthorizationNeed: CustomStringConvertible {
    /// The kinds, and whether authorization is required.
    public var description: String {
        if schemes.isEmpty { return "none" }
        return schemes.map(\.rawValue).joined(separator: " or ") + (isRequired ? "" : ", optional")
    }
}

extension AuthorizationNeed {
    /// Unavailable: a need must indicate whether it is required.
    @available(*, unavailable, message: "write `.required(.bearer)` or `.optional(.bearer)`")
    public static var bearer: AuthorizationNeed { .anonymous }

    /// Unavailable: a need must indicate whether it is required.
    @available(*, unavailable, message: "write `.required(.basic)` or `.optional(.basic)`")
    public static var basic: AuthorizationNeed { .anonymous }
}
