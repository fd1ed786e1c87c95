// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Finds a server's addresses: the given ones, in its metadata (RFC 8414), or through the service's (RFC 9728).
struct ServerDiscovery: Sendable {
    let server: OAuth2Server

    /// Whether the addresses can be found without a refusal by the service.
    var needsChallenge: Bool {
        if case .announced = server.kind { true } else { false }
    }

    /// The addresses; `challenge` is the service's refusal, if it leads to the server.
    ///
    /// - Throws: ``OAuth2Error``, or any error of the requests.
    func endpoints(_ channel: TokenChannel, _ challenge: ResourceChallenge?) async throws -> OAuth2Endpoints {
        switch server.kind {
        case .endpoints(let tokens, let authorization, let device, let revocation):
            return try OAuth2Endpoints(
                tokens: tokens,
                authorization: authorization,
                device: device,
                revocation: revocation
            )
        case .issuer(let issuer): return try await describe(issuer, channel)
        case .announced(let issuers):
            guard let challenge else {
                throw OAuth2Error(.unsupported, "the service has not yet identified its authorization server")
            }
            return try await describe(try await announced(by: challenge, among: issuers, channel), channel)
        }
    }

    /// Reads an issuer's metadata.
    private func describe(_ issuer: String, _ channel: TokenChannel) async throws -> OAuth2Endpoints {
        let url = try OAuth2Endpoints.address(issuer)
        guard url.query == nil else {
            throw OAuth2Error(.insecureAddress, "an issuer's URL must not have a query (RFC 8414 section 2)")
        }
        let path = url.path == "/" ? "" : url.path
        let plain = path.ends(with: "/") ? String(path.dropLast()) : path
        // OpenID Connect appends its well-known path to the issuer's path, RFC 8414 prepends it.
        let places = [
            "/.well-known/oauth-authorization-server\(path)",
            "\(plain)/.well-known/openid-configuration",
        ]
        var problem: any Error = TokenResponse.malformed("it is missing")
        for place in places {
            do {
                let metadata = try await channel.get(RequestURL("\(url.origin)\(place)"))
                return try OAuth2Endpoints(metadata, of: issuer, sharing: server.sharedOrigins)
            } catch let error as OAuth2Error where error.status == 404 {
                problem = error
            }
        }
        throw problem
    }

    /// Which of the issuers the service names.
    private func announced(
        by challenge: ResourceChallenge,
        among issuers: [String],
        _ channel: TokenChannel
    ) async throws -> String {
        let url = try challenge.metadata
        let metadata = try await channel.get(url)
        guard challenge.isMeant(by: metadata["resource"].string) else {
            throw OAuth2Error(
                .mismatch,
                "\(url.origin)\(url.path) belongs to a resource other than \(challenge.url.path)"
            )
        }
        let named = (metadata["authorization_servers"].array ?? []).compactMap(\.string)
        let issuer = issuers.first { known in named.contains { $0.utf8.elementsEqual(known.utf8) } }
        guard let issuer else {
            throw OAuth2Error(
                .undeclaredOrigin,
                "\(challenge.url.origin) lists no issuer that you allow, so no secret is sent"
            )
        }
        return issuer
    }
}

/// A refusal that says where the service's metadata is (RFC 9728 section 5.1).
struct ResourceChallenge: Sendable {
    /// The URL that was refused.
    let url: RequestURL
    private let named: String?

    init(_ challenge: AuthorizationChallenge) {
        url = challenge.request.url
        named = challenge.challenges.lazy.compactMap { $0["resource_metadata"] }.first
    }

    /// Where the metadata is: the address in the challenge, if it is at the service's own origin, or the well-known
    /// one.
    var metadata: RequestURL {
        get throws {
            guard let named else {
                return try RequestURL("\(url.origin)/.well-known/oauth-protected-resource")
            }
            let place = try OAuth2Endpoints.address(named)
            guard place.origin == url.origin else {
                throw OAuth2Error(
                    .mismatch,
                    "\(url.origin) links to its description at another origin, \(place.origin)"
                )
            }
            return place
        }
    }

    /// Whether the metadata's `resource` is the requested URL, or a prefix of its path (section 3.3).
    func isMeant(by resource: String?) -> Bool {
        guard let resource, let meant = try? OAuth2Endpoints.address(resource), meant.origin == url.origin,
            meant.query == nil
        else { return false }
        let above = meant.path.ends(with: "/") ? meant.path : meant.path + "/"
        return meant.path == "/" || url.path == meant.path || url.path.begins(with: above)
    }
}
