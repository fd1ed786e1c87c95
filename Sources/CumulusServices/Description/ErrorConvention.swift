// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// How a service reports errors: where its responses contain them, and what its statuses mean.
public struct ErrorConvention: Sendable, Hashable {
    /// The members of a JSON object that contain an error, regardless of the status; see `ErrorDecoder.jsonMember(_:)`.
    public var members: [String]
    /// Whether errors have the media type `application/problem+json` (RFC 9457).
    public var usesProblemDetails: Bool
    /// Whether the service's statuses don't indicate success: it may send values with 404, or errors with 200.
    public var ignoresStatus: Bool

    /// Creates a convention; by default only the status indicates an error.
    public init(members: [String] = [], usesProblemDetails: Bool = false, ignoresStatus: Bool = false) {
        self.members = members
        self.usesProblemDetails = usesProblemDetails
        self.ignoresStatus = ignoresStatus
    }

    /// Creates a convention for errors in one of several members of a JSON object.
    public static func members(_ names: String...) -> ErrorConvention { ErrorConvention(members: names) }

    /// A convention for errors with the media type `application/problem+json`.
    public static let problemDetails = ErrorConvention(usesProblemDetails: true)

    /// Sets the settings that decode these errors.
    func apply(to settings: inout Resource.Settings) {
        if !members.isEmpty {
            settings.errorDecoders.append(.jsonMembers(members))
        }
        if usesProblemDetails { settings.errorDecoders.append(.problemDetails) }
        if ignoresStatus { settings.acceptableStatuses = .range(200...599) }
    }
}
