// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// Adds the conditions that the settings name to an encoded request, before its attempts.
struct NamedConditions: Sendable {
    private let tracks: Bool
    private let conditions: Conditions
    /// The codings that requests without their own `Accept-Encoding` accept.
    private let acceptedCodings: String?

    /// `nil` if no condition is set.
    init?(_ settings: SettingValues, acceptedCodings: String?) {
        conditions = settings.value(ConditionsKey.self)
        if conditions == .none { return nil }
        tracks = settings.value(TracksRevisionsKey.self)
        self.acceptedCodings = acceptedCodings
    }

    /// The request with its conditions; unchanged if it has its own.
    func added(to request: EncodedRequest) throws -> EncodedRequest {
        if request.headers.hasConditions { return request }
        var conditional = request
        if let tag = conditions.ifNoneMatch, request.isReading || tag == "*" {
            try conditional.setHeader(.ifNoneMatch, to: NamedConditions.quoted(tag))
        }
        if request.isReading {
            if let date = conditions.ifModifiedSince {
                conditional.headers[.ifModifiedSince] = HTTPDate(date).description
            }
        } else {
            if let tag = conditions.ifMatch { try conditional.setHeader(.ifMatch, to: NamedConditions.quoted(tag)) }
            if let date = conditions.ifUnmodifiedSince {
                conditional.headers[.ifUnmodifiedSince] = HTTPDate(date).description
            }
        }
        // With a compressed body, servers send another tag, or a weak one.
        let asked = request.headers[.acceptEncoding]
        if tracks, conditions.ifUnchanged, asked == nil || asked == acceptedCodings {
            conditional.headers[.acceptEncoding] = "identity"
        }
        return conditional
    }

    private static func quoted(_ tag: String) -> String {
        tag == "*" || tag.begins(with: "\"") || tag.begins(with: "W/\"") ? tag : "\"\(tag)\""
    }
}
