// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusOAuth

/// The stored part of a login besides its token: where an origin's tokens come from, and for whom.
struct SavedLogin: Equatable, Sendable {
    /// The location of an authorization server.
    enum Server: Equatable, Sendable {
        case issuer(String)
        case endpoints(tokens: String, authorization: String?, device: String?, revocation: String?)
    }

    let origin: Origin
    let server: Server
    /// The other origins that may get the client's secret and the refresh token, if the issuer names them.
    var shared: [Origin] = []
    let client: OAuth2Client
    /// Whether the program signs in for itself, and so can do it again.
    let isClientLogin: Bool
    let scope: String?

    /// The server in the library's form.
    var authorizationServer: OAuth2Server {
        switch server {
        case .issuer(let url): .issuer(url).sharing(with: shared)
        case .endpoints(let tokens, let authorization, let device, let revocation):
            .endpoints(tokens: tokens, authorization: authorization, device: device, revocation: revocation)
        }
    }

    /// The authorizer that gets tokens once the user has signed in.
    func authorizer(
        _ grant: OAuth2Grant? = nil,
        store: some TokenStore,
        onEvent: @escaping @Sendable (OAuth2Event) -> Void = { _ in }
    ) -> OAuth2Authorizer {
        OAuth2Authorizer(
            grant ?? (isClientLogin ? .clientCredentials(client) : .stored(client: client)),
            server: authorizationServer,
            options: OAuth2Options(scope: scope),
            store: store,
            onEvent: onEvent
        )
    }
}

extension SavedLogin {
    /// Parses the result of ``encoded()``; `nil` for anything else, and for another origin's.
    init?(decoding bytes: [UInt8], of origin: Origin) {
        guard let json = try? JSON(parsing: bytes), json["version"].int == 1,
            json["origin"].string == origin.description, let id = json["client_id"].string
        else { return nil }
        if let issuer = json["issuer"].string {
            server = .issuer(issuer)
        } else if let tokens = json["tokens"].string {
            server = .endpoints(
                tokens: tokens,
                authorization: json["authorization"].string,
                device: json["device"].string,
                revocation: json["revocation"].string
            )
        } else {
            return nil
        }
        self.origin = origin
        shared = (json["shared"].array ?? []).compactMap { $0.string.flatMap { try? RequestURL($0).origin } }
        client = OAuth2Client(
            id: id,
            secret: json["client_secret"].string.map { Secret($0) },
            authentication: json["client_authentication"].string == "body" ? .body : nil
        )
        isClientLogin = json["grant"].string == "client"
        scope = json["scope"].string
    }

    /// The login as JSON, with the client's secret.
    func encoded() -> [UInt8] {
        var members: [(String, String?)] = [("origin", origin.description), ("client_id", client.id)]
        switch server {
        case .issuer(let url): members.append(("issuer", url))
        case .endpoints(let tokens, let authorization, let device, let revocation):
            members += [
                ("tokens", tokens), ("authorization", authorization), ("device", device), ("revocation", revocation),
            ]
        }
        members += [
            ("client_secret", client.secret?.revealed),
            ("client_authentication", client.authentication == .body ? "body" : nil),
            ("grant", isClientLogin ? "client" : nil), ("scope", scope),
        ]
        let texts = members.compactMap { name, text in text.map { (name, JSON.string($0)) } }
        let others: [(String, JSON)] =
            shared.isEmpty ? [] : [("shared", .array(shared.map { .string($0.description) }))]
        return JSON.object(JSON.Object([("version", 1)] + texts + others)).encoded()
    }
}
