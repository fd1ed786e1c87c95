// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
public import CumulusTesting
import HTTPTypes
import Synchronization

/// A small OAuth 2 server for tests and demonstrations: it issues, rotates and revokes tokens, and counts these events.
///
/// It has the paths `/oauth/token`, `/oauth/authorize`, `/oauth/device` and `/oauth/revoke`, and describes itself at
/// `/.well-known/oauth-authorization-server`. Every user who visits `/oauth/authorize` is signed in immediately. Tokens
/// are valid until a test ends them, regardless of their lifetime.
public final class OAuth2Service: Sendable {
    /// The server's clients, users and behavior.
    public struct Configuration: Sendable {
        /// The clients' secrets; `nil` for a public client.
        public var clients: [String: String?] = ["atlas": "s3cret", "cli": nil]
        /// The users' passwords.
        public var users = ["ada": "lovelace"]
        /// The value of `expires_in`, in seconds; `nil` omits it.
        public var lifetime: Int? = 3_600
        /// Whether a refresh token can be used only once, and using it again revokes all tokens of the same login.
        public var rotates = true
        /// The value of `interval`, in seconds, for device codes.
        public var interval = 5

        /// Creates a configuration with the client `atlas` (secret `s3cret`), the public client `cli`, and the user
        /// `ada` (password `lovelace`).
        public init() {}
    }

    struct State {
        var next = 0
        /// The login that each access token belongs to.
        var access: [String: Int] = [:]
        var refresh: [String: Int] = [:]
        var usedRefresh: [String: Int] = [:]
        var codes: [String: Code] = [:]
        var devices: [String: Device] = [:]
        var grants: [String: Int] = [:]
        var reuses = 0
        var revocations = 0
    }

    struct Code {
        let client: String
        let redirect: String
        let challenge: String?
    }

    struct Device {
        let client: String
        let userCode: String
        var isApproved: Bool?
    }

    let configuration: Configuration
    let state = Mutex(State())

    /// Creates a service; `install(in:)` adds it to a server.
    public init(_ configuration: Configuration = .init()) { self.configuration = configuration }

    /// Adds the service's paths to a server's routes.
    public func install(in routes: inout Routes) {
        routes.on(nil, "/oauth/:place") { [self] request in
            reply(
                to: Question(
                    place: request.parameters["place"] ?? "",
                    target: request.query ?? "",
                    form: Query(parsing: request.text),
                    authorization: request.headers[.authorization]
                )
            ).serverResponse
        }
        routes.get("/.well-known/oauth-authorization-server") { [self] request in
            .json(metadata(of: "http://\(HTTPField.Name("Host").flatMap { request.headers[$0] } ?? "")").description)
        }
    }

    /// Adds the service's paths to a stub's routes, for any origin.
    public func install(in routes: inout StubRoutes) {
        routes.on(nil, "/oauth/:place") { [self] request in respond(to: request) }
        routes.on(.get, "/.well-known/oauth-authorization-server") { [self] request in
            .json(metadata(of: "\(request.request.origin)").description)
        }
    }

    /// Responds to a stub's request for one of the service's paths below `/oauth`.
    public func respond(to request: StubRequest) -> StubResponse {
        reply(
            to: Question(
                place: request.path.parts(at: "/", omitsEmpty: true).last.map(String.init) ?? "",
                target: request.query ?? "",
                form: Query(parsing: request.text),
                authorization: request.headers[.authorization]
            )
        ).stubAnswer
    }

    /// Whether an `Authorization` field contains a valid token.
    public func accepts(_ authorization: String?) -> Bool {
        guard let proof = authorization?.cut(at: " "), proof.before == "Bearer" else { return false }
        return state.withLock { $0.access[String(proof.behind.trimmed)] != nil }
    }

    /// Whether a request contains a valid token.
    public func accepts(_ request: ServerRequest) -> Bool { accepts(request.headers[.authorization]) }

    /// Expires all access tokens; refresh tokens stay valid.
    public func expireAccessTokens() { state.withLock { $0.access = [:] } }

    /// Revokes all tokens and codes.
    public func revokeEverything() {
        state.withLock { state in
            state.access = [:]
            state.refresh = [:]
        }
    }

    /// Approves or refuses a device code on behalf of its user; the latest code by default.
    public func decide(_ isApproved: Bool, userCode: String? = nil) {
        state.withLock { state in
            for (code, device) in state.devices where userCode == nil || device.userCode == userCode {
                state.devices[code]?.isApproved = isApproved
            }
        }
    }

    /// Returns the number of tokens issued for a grant: `refresh_token`.
    public func count(of grant: String) -> Int { state.withLock { $0.grants[grant] ?? 0 } }

    /// The number of times that a used refresh token was sent again.
    public var reuses: Int { state.withLock(\.reuses) }

    /// The number of times that a token was revoked.
    public var revocations: Int { state.withLock(\.revocations) }

    /// The service's metadata (RFC 8414).
    func metadata(of issuer: String) -> JSON {
        [
            "issuer": .string(issuer), "token_endpoint": .string("\(issuer)/oauth/token"),
            "authorization_endpoint": .string("\(issuer)/oauth/authorize"),
            "device_authorization_endpoint": .string("\(issuer)/oauth/device"),
            "revocation_endpoint": .string("\(issuer)/oauth/revoke"),
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": false,
        ]
    }
}
