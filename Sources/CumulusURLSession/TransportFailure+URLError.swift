// SPDX-License-Identifier: Apache-2.0

package import CumulusCore
import CumulusPrimitives
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportFailure {
    /// Converts the error of a session's task.
    ///
    /// - Parameters:
    ///   - error: The session's error.
    ///   - hasHead: Whether the response's head had been delivered, so that the body failed.
    ///   - hasSent: Whether something of the request was sent; `nil` if the session didn't report it. Then the code decides,
    ///     although -1009 and -1004 can also end a request that was under way.
    package init(session error: any Error, hasHead: Bool, hasSent: Bool? = nil) {
        // The same number means something else in another domain.
        let domain = (error as NSError).domain
        let code = domain == NSURLErrorDomain ? (error as NSError).code : 0
        let message = (error as NSError).localizedDescription
        // Of a socket that the system closed while the app was in the background: ECONNABORTED, ENOTCONN.
        let known = domain == NSPOSIXErrorDomain ? Kind.connectionClosed : Self.kinds[code]
        let kind = hasHead ? Kind.truncated : Self.kind(saidBy: message) ?? known ?? .other
        let unsent: [Kind] = [.lookup, .connect, .invalidRequest]
        // Other failures of TLS may come later, as when a connection is reset while it is read.
        let isForbidden = code == URLError.Code.appTransportSecurityRequiresSecureConnection.rawValue
        let isDistrust = kind == .tls && (isForbidden || message.has("certificate"))
        let isUnsent = hasSent.map { !$0 } ?? (unsent.contains(kind) || isDistrust)
        self.init(kind, "\(message) (\((error as NSError).code))", fate: isUnsent ? .unsent : .unknown, cause: error)
        if kind == .tls { reason = Self.reasons[code] }
    }

    /// The kind by libcurl's message on Linux, if the code is missing or misleading.
    private static func kind(saidBy message: String) -> Kind? {
        let phrases: [(String, Kind)] = [
            ("Empty reply from server", .connectionClosed),
            ("HTTP/0.9", .malformedResponse),
            ("Too large response headers", .headerTooLarge),
            // A single field over 100 KiB; nothing else in an exchange can cause this.
            ("Out of memory", .headerTooLarge),
            ("SSL", .tls), ("TLS", .tls), ("certificate", .tls),
        ]
        return phrases.first { message.contains($0.0) }?.1
    }

    /// The reasons of failures of TLS, by number.
    private static let reasons: [Int: Reason] = [
        // Not `serverCertificateUntrusted`, which the system also reports for another host or an expired certificate.
        URLError.Code.serverCertificateHasUnknownRoot.rawValue: .untrustedIssuer,
        URLError.Code.serverCertificateHasBadDate.rawValue: .expiredCertificate,
        URLError.Code.serverCertificateNotYetValid.rawValue: .certificateNotYetValid,
        URLError.Code.clientCertificateRequired.rawValue: .missingClientCertificate,
        URLError.Code.clientCertificateRejected.rawValue: .refusedClientCertificate,
    ]

    /// By number: an `NSError` is not an `URLError` on every platform.
    private static let kinds: [Int: Kind] = {
        let codes: [(Kind, [URLError.Code])] = [
            (.lookup, [.cannotFindHost, .dnsLookupFailed]),
            (
                .connect,
                [
                    .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff,
                    .callIsActive,
                ]
            ),
            (
                .tls,
                [
                    .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                    .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                    .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection,
                ]
            ),
            (.connectionClosed, [.networkConnectionLost]),
            (.malformedResponse, [.badServerResponse, .cannotParseResponse, .cannotDecodeRawData]),
            (.invalidRequest, [.badURL, .unsupportedURL]),
            (.requestBody, [.fileDoesNotExist, .noPermissionsToReadFile, .requestBodyStreamExhausted]),
            (.timeout(.response), [.timedOut]),
            (.headerTooLarge, [.dataLengthExceedsMaximum]),
        ]
        var kinds: [Int: Kind] = [:]
        for (kind, list) in codes {
            for code in list { kinds[code.rawValue] = kind }
        }
        return kinds
    }()
}
