// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// How a session responds when a server, or a proxy, requests authentication.
struct ChallengePolicy: Sendable {
    /// The response to one challenge.
    enum Response {
        /// Use the credential.
        case use(URLCredential)
        /// Verify the server by the transport's settings.
        case verify(ServerCheck)
        /// Use the client certificate for an origin.
        case identify(Origin)
        /// Verify the server as the system does, or use the credentials of the system.
        case systemsOwn
        /// Use no credentials; the pipeline handles the server's response.
        case none
    }

    /// `NSURLAuthenticationMethodServerTrust`, which is unavailable on Linux: the verification of a server.
    private static let serverTrust = "NSURLAuthenticationMethodServerTrust"
    /// `NSURLAuthenticationMethodClientCertificate`, which is unavailable there, too.
    private static let clientCertificate = "NSURLAuthenticationMethodClientCertificate"

    let credentials: ConnectionCredentials
    /// Whether the user's own credentials, such as a Kerberos ticket or a client certificate, may be used.
    let offersSystemCredentials: Bool
    /// The TLS settings; `nil` for those of the system.
    var trust: TrustPolicy?

    func response(to space: URLProtectionSpace, failures: Int) -> Response {
        if let credential = credentials.credential(for: space, failures: failures) { return .use(credential) }
        if space.authenticationMethod == Self.serverTrust {
            return trust?.check(of: space.host).map { .verify($0) } ?? .systemsOwn
        }
        // A certificate that was refused isn't sent again.
        if space.authenticationMethod == Self.clientCertificate, failures == 0, let origin = Origin(of: space),
            trust?.identities[origin] != nil
        {
            return .identify(origin)
        }
        return offersSystemCredentials && failures == 0 ? .systemsOwn : .none
    }

    /// The disposition that continues without credentials.
    ///
    /// "Default handling" would use the system's: a ticket for Negotiate, a certificate of the keychain
    /// (`NSURLAuthenticationMethodNegotiate`, `NSURLAuthenticationMethodClientCertificate`). On Linux a rejection ends the
    /// task, and there are no such credentials.
    static var refusal: URLSession.AuthChallengeDisposition {
        #if canImport(Darwin)
        .rejectProtectionSpace
        #else
        .performDefaultHandling
        #endif
    }
}

extension Origin {
    /// The origin whose server requests authentication; `nil` for a proxy.
    init?(of space: URLProtectionSpace) {
        guard space.proxyType == nil, let scheme = space.protocol.flatMap({ Origin.Scheme(rawValue: $0) }) else {
            return nil
        }
        self.init(scheme: scheme, host: space.host, port: space.port)
    }
}
