// SPDX-License-Identifier: Apache-2.0

import CumulusCore
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
    init(session error: any Error, hasHead: Bool) {
        let code = (error as NSError).code
        let message = (error as NSError).localizedDescription
        let kind = hasHead ? Kind.truncated : Self.kind(saidBy: message) ?? Self.kinds[code] ?? .other
        let unsent: [Kind] = [.lookup, .connect, .invalidRequest]
        // Other failures of TLS may come later, as when a connection is reset while it is read.
        let isDistrust = kind == .tls && message.has("certificate")
        let fate = unsent.contains(kind) || isDistrust ? Fate.unsent : .unknown
        self.init(kind, "\(message) (\(code))", fate: fate, cause: error)
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

    /// By number: an `NSError` is not an `URLError` on every platform.
    private static let kinds: [Int: Kind] = {
        let codes: [(Kind, [URLError.Code])] = [
            (.lookup, [.cannotFindHost, .dnsLookupFailed]),
            (.connect, [.cannotConnectToHost, .notConnectedToInternet]),
            (
                .tls,
                [
                    .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                    .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                    .clientCertificateRequired,
                ]
            ),
            (.connectionClosed, [.networkConnectionLost]),
            (.malformedResponse, [.badServerResponse, .cannotParseResponse, .cannotDecodeRawData]),
            (.invalidRequest, [.badURL, .unsupportedURL]),
            (.requestBody, [.fileDoesNotExist, .noPermissionsToReadFile]),
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
