// SPDX-License-Identifier: Apache-2.0

public import Cumulus
public import CumulusOAuth
import CumulusServices

extension Mastodon {
    /// A program registered with an instance; store it with the instance's name, and register only once.
    public struct Application: Sendable, Hashable, Decodable {
        /// The client identifier.
        public let clientID: String
        /// The client secret.
        public let clientSecret: Secret<String>

        /// Creates the application for a program that is already registered.
        public init(clientID: String, clientSecret: Secret<String>) {
            (self.clientID, self.clientSecret) = (clientID, clientSecret)
        }

        private enum CodingKeys: String, CodingKey {
            case clientID = "client_id"
            case clientSecret = "client_secret"
        }

        /// Decodes an application from a response.
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            clientID = try members.decode(String.self, forKey: .clientID)
            clientSecret = Secret(try members.decode(String.self, forKey: .clientSecret))
        }

        /// The program as a client for OAuth 2 grants.
        ///
        /// It authenticates in the body, as Mastodon documents.
        public var client: OAuth2Client { OAuth2Client(id: clientID, secret: clientSecret, authentication: .body) }
    }

    /// Registers a program: `RegisterApplication`.
    ///
    /// - Parameters:
    ///   - name: The name shown to users.
    ///   - redirectURIs: The URIs that browsers may be redirected to.
    ///   - scopes: The scopes that the program may request, separated by spaces.
    ///   - website: The program's website.
    /// - Returns: The program.
    /// - Throws: `CumulusError`, or `CancellationError` when the task is cancelled.
    public func register(
        _ name: String,
        redirectURIs: [String] = ["urn:ietf:wg:oauth:2.0:oob"],
        scopes: String = "read",
        website: String? = nil
    ) async throws -> Application {
        let arguments: EndpointArguments = [
            "name": name, "redirectURIs": redirectURIs.joined(separator: "\n"), "scopes": scopes, "website": website,
        ]
        return try await service.call("RegisterApplication", arguments, as: Application.self).send()
    }

    /// The instance's authorization server.
    public var tokenServer: OAuth2Server {
        let url = service.resource.urlString ?? ""
        let base = url.utf8.last == UInt8(ascii: "/") ? String(url.dropLast()) : url
        return .endpoints(
            tokens: "\(base)/oauth/token",
            authorization: "\(base)/oauth/authorize",
            revocation: "\(base)/oauth/revoke"
        )
    }

    /// Sends a token with all requests, and obtains, stores and renews it with OAuth 2.
    ///
    ///     mastodon.signIn(
    ///         app,
    ///         grant: .authorizationCode(client: app.client, receiver: receiver) { open($0) },
    ///         scope: "read"
    ///     )
    ///
    /// - Parameters:
    ///   - application: The program.
    ///   - grant: The grant for the first token; `nil` authenticates the program itself, which can only read public
    ///     data.
    ///   - scope: The scopes of the tokens, separated by spaces; `nil` leaves it to the instance.
    ///   - store: The store of the token.
    /// - Returns: The object that requests the tokens, for signing out.
    @discardableResult
    public mutating func signIn(
        _ application: Application,
        grant: OAuth2Grant? = nil,
        scope: String? = nil,
        store: any TokenStore = MemoryTokenStore()
    ) -> OAuth2Authorizer {
        let authorizer = OAuth2Authorizer(
            grant ?? .clientCredentials(application.client),
            server: tokenServer,
            options: OAuth2Options(scope: scope),
            store: store
        )
        service = service.with { $0.authorizers.append(.custom(authorizer)) }
        return authorizer
    }
}

extension Mastodon.Application: CustomStringConvertible, CustomReflectable {
    /// The client identifier, without the secret.
    public var description: String { "the application \(clientID)" }

    /// A mirror that shows the same text as the description.
    public var customMirror: Mirror { Mirror(self, children: ["application": description]) }
}
