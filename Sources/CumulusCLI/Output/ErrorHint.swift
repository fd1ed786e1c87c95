// SPDX-License-Identifier: Apache-2.0

import CumulusAWS
import CumulusCore
import CumulusOAuth
import CumulusPrimitives
import HTTPTypes

/// The option that may avoid a failure; it depends on the error's code and values, never on its message.
enum ErrorHint {
    /// The hint, if any.
    static func text(for error: CumulusError) -> String? {
        switch error.cause {
        case let failure as TransportFailure: hint(failure, of: error)
        case let error as OAuth2Error: text(for: error)
        case let problem as AWSScopeProblem:
            problem.part == .region ? "write -A aws4:REGION" : "write -A aws4:REGION:SERVICE"
        case let mismatch as MediaTypeMismatch where mismatch.accepted.contains(.eventStream):
            "cumulus URL prints other responses"
        case is FilesInUse.Taken where error.code == .fileExists:
            "download this URL with a separate command and a different -o FILE"
        default:
            error.code == .fileExists
                ? "--overwrite replaces the file, -o FILE writes to a different file, and -c continues a partial copy"
                : nil
        }
    }

    /// The credentials that a response of 401 requires; `nil` if some of such a scheme were sent.
    static func text(for response: ResponseHead, sentScheme: String?) -> String? {
        guard response.status == .unauthorized else { return nil }
        let challenges = AuthenticationChallenge.parse(response.headers[values: .wwwAuthenticate])
        if let sentScheme, challenges.contains(where: { $0.isScheme(sentScheme) }) { return nil }
        return schemes.first { scheme in challenges.contains { $0.isScheme(scheme.name) } }?.hint
    }

    /// The schemes of servers (RFC 9110 section 11), the preferred one first.
    private static let schemes = [
        (name: "Digest", hint: "the server accepts Digest: -A digest -a USER:PASSWORD"),
        (name: "Bearer", hint: "the server accepts a token: -A bearer -a TOKEN"),
        (name: "Basic", hint: "the server accepts a password: -a USER:PASSWORD"),
    ]

    /// How the command allows a token endpoint at another origin.
    static func text(for error: OAuth2Error) -> String? {
        error.code == .undeclaredOrigin ? "cumulus login URL --issuer URL --share ORIGIN declares the origin" : nil
    }

    private static func hint(_ failure: TransportFailure, of error: CumulusError) -> String? {
        switch (failure.reason, failure.cause) {
        case (.notTLS, _): error.request.map { plainURL(of: $0.origin) }
        case (.missingClientCertificate, _): "--cert FILE --cert-key FILE sends a client certificate"
        case (.untrustedIssuer, _):
            "--verify FILE trusts your own authority; --verify=no trusts every server, for tests only"
        case (.noApplicationProtocol, _), (.invalidHTTP2, _): "--http-version 1.1 avoids HTTP/2"
        case (.notHTTP1, _): "--http-version 2 reaches a server that supports only HTTP/2"
        case (_, is AddressRefusal): "--allow-address HOST makes an exception to --public-only"
        case (_, let refusal as ProxyRefusal) where isMissingCredentials(refusal):
            "--proxy-user USER:PASSWORD authorizes requests to the proxy"
        default: nil
        }
    }

    private static func plainURL(of origin: Origin) -> String {
        let host = origin.host.has(":") ? "[\(origin.host)]" : origin.host
        return "this server does not seem to support TLS; did you mean http://\(host):\(origin.port)?"
    }

    /// Whether the proxy would accept a password that it was not sent.
    private static func isMissingCredentials(_ refusal: ProxyRefusal) -> Bool {
        refusal.reason == .credentials && refusal.proxy.credentials == nil
            && (refusal.schemes.isEmpty || refusal.schemes.contains { $0.lowercased() == "basic" })
    }
}
