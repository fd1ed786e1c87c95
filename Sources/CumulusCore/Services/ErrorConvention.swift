// SPDX-License-Identifier: Apache-2.0

/// How a service tells errors: where they stand in its answers, and what its statuses are worth.
public struct ErrorConvention: Sendable, Hashable {
    /// Members of a JSON object that hold an error, whatever the status; see ``ErrorDecoder/jsonMember(_:)``.
    public var members: [String]
    /// Whether errors are called `application/problem+json` (RFC 9457).
    public var usesProblemDetails: Bool
    /// Whether statuses say nothing of success: such services answer 404 with a value, and errors with 200.
    public var ignoresStatus: Bool

    /// Describes how errors are told; by default by status alone.
    public init(members: [String] = [], usesProblemDetails: Bool = false, ignoresStatus: Bool = false) {
        self.members = members
        self.usesProblemDetails = usesProblemDetails
        self.ignoresStatus = ignoresStatus
    }

    /// Errors in one of some members of a JSON object.
    public static func members(_ names: String...) -> ErrorConvention { ErrorConvention(members: names) }

    /// Errors called `application/problem+json`.
    public static let problemDetails = ErrorConvention(usesProblemDetails: true)

    /// Writes the settings that read errors so.
    func apply(to settings: inout Settings) {
        if !members.isEmpty {
            let members = members
            settings.errorDecoders.append(ErrorDecoder { ServiceError(in: $0, members: members) })
        }
        if usesProblemDetails { settings.errorDecoders.append(.problemDetails) }
        if ignoresStatus { settings.acceptableStatuses = 200...599 }
    }
}
