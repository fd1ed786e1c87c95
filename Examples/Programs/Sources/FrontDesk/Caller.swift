// SPDX-License-Identifier: Apache-2.0

import Cumulus
import HTTPTypes
import Hummingbird
import Logging

// snippet.caller
/// The properties of an incoming request that the requests to other services share.
struct Caller: Sendable {
    let logger: Logger
    /// The token of the user, from `Authorization: Bearer ...`.
    let token: String?
    /// The time that the caller waits, from `Prefer: wait=2` (RFC 7240 section 4.3).
    let wait: Duration?

    /// A copy of a service with this request's credentials and logger, and a deadline no later than the caller's.
    ///
    /// Two copies don't share credentials, stored responses or quotas.
    func copy(of service: Resource) -> Resource {
        service.with { settings in
            settings.logger = logger
            if let token { settings.authorizers = [.bearer(token)] }
            if let wait { settings.deadline = min(settings.deadline ?? wait, wait) }
        }
    }
}
// snippet.end

extension Caller {
    /// The name of the field `Prefer`, for which HTTPTypes has no constant.
    private static let prefer = HTTPField.Name("Prefer")

    /// Reads the caller's properties from the request.
    init(_ request: Request, _ context: BasicRequestContext) {
        // A preference may have parameters, as in `respond-async, wait=2; reason=user`.
        let preferences = Caller.prefer.flatMap { request.headers[$0] }?.split(separator: ",") ?? []
        let waits = preferences.compactMap { preference in
            preference.split(separator: ";").first.flatMap { Caller.value(of: $0, after: "wait=") }.flatMap(UInt32.init)
        }
        self.init(
            logger: context.logger,
            token: request.headers[.authorization].flatMap { Caller.value(of: $0[...], after: "bearer ") },
            wait: waits.first.map { .seconds(Int64($0)) }
        )
    }

    /// The text after a prefix in lower case; `nil` if the text begins otherwise.
    private static func value(of text: Substring, after prefix: String) -> String? {
        let words = text.split(separator: " ").joined(separator: " ")
        return words.lowercased().hasPrefix(prefix) ? String(words.dropFirst(prefix.count)) : nil
    }
}
