// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Decides whether a response is a success: by its status, and by the service's errors in its body.
///
/// A class, so that a response holds one reference instead of lists.
final class ResponseJudge: Sendable {
    /// The default rules.
    static let standard = ResponseJudge(acceptable: AcceptableStatusesKey.defaultValue, decoders: [])

    private let acceptable: StatusSet
    private let decoders: SettingList<ErrorDecoder>

    private init(acceptable: StatusSet, decoders: SettingList<ErrorDecoder>) {
        self.acceptable = acceptable
        self.decoders = decoders
    }

    convenience init(_ settings: SettingValues) {
        self.init(
            acceptable: settings.value(AcceptableStatusesKey.self),
            decoders: settings.value(ErrorDecodersKey.self)
        )
    }

    /// Whether a status alone counts as success.
    func accepts(_ status: HTTPResponse.Status) -> Bool { acceptable.contains(status) }

    /// The reason why a response is not a success; the service's own error takes precedence over the status.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - isEvent: Whether its body is an event's data.
    /// - Returns: The error; `nil` for a success.
    func failure(of response: Response, isEvent: Bool = false) -> CumulusError? {
        for decoder in decoders {
            guard let error = isEvent ? decoder.decodeEvent(response) : decoder.decode(response) else { continue }
            return CumulusError(
                .service,
                stage: .validation,
                "the service reported \(ResponseJudge.word(of: error)), with the status \(ResponseJudge.name(response.status))",
                request: response.request,
                response: response,
                cause: error
            ).after(response.attemptsBehind)
        }
        return accepts(response.status) ? nil : statusError(of: response)
    }

    /// A service's description of an error: its code and message, if the error's type has a description.
    ///
    /// The members of a type without one are not printed, since they come from a body.
    private static func word(of error: any Error) -> String {
        let said: String? =
            switch error {
            case let error as any LocalizedError where error.errorDescription != nil: error.errorDescription
            case let error as any CustomStringConvertible: error.description
            default: nil
            }
        return said.map { "\"\(PeerText.printable($0))\"" } ?? "an error"
    }

    /// The error for a status that is not a success.
    func statusError(of response: Response) -> CumulusError {
        if response.isNotModified {
            return CumulusError(
                .notModified,
                stage: .validation,
                "the server responded with 304 Not Modified: the earlier response is still valid, and there is no body",
                request: response.request,
                response: response
            )
        }
        // RFC 9111 section 5.2.1.7.
        let wasForCaches =
            response.status == .gatewayTimeout
            && response.request.headers[.cacheControl]?.lowercased().has("only-if-cached") == true
        return CumulusError(
            .status,
            stage: .validation,
            wasForCaches
                ? "the request allowed only stored responses, and none could be used "
                    + "(\(ResponseJudge.name(response.status)))"
                : "the server responded with \(ResponseJudge.name(response.status))",
            request: response.request,
            response: response
        ).after(response.attemptsBehind)
    }

    /// A status in words.
    static func name(_ status: HTTPResponse.Status) -> String {
        status.reasonPhrase.isEmpty ? "\(status.code)" : "\(status.code) \(status.reasonPhrase)"
    }
}
