// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The way a service reports errors: their place in its responses, and the meaning of its statuses.
public struct ErrorConvention: Sendable, Hashable {
    /// Members of a JSON object that contain an error, regardless of the status; see `ErrorDecoder.jsonMember(_:)`.
    public var members: [String]
    /// Whether errors have the media type `application/problem+json` (RFC 9457).
    public var usesProblemDetails: Bool
    /// Whether statuses don't indicate success: such services send values with 404, and errors with 200.
    public var ignoresStatus: Bool

    /// Creates a convention; by default only the status indicates an error.
    public init(members: [String] = [], usesProblemDetails: Bool = false, ignoresStatus: Bool = false) {
        self.members = members
        self.usesProblemDetails = usesProblemDetails
        self.ignoresStatus = ignoresStatus
    }

    /// Errors in one of several members of a JSON object.
    public static func members(_ names: String...) -> ErrorConvention { ErrorConvention(members: names) }

    /// Errors with the media type `application/problem+json`.
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
