// SPDX-License-Identifier: Apache-2.0

/// Finds a service's own error in a response of any status.
///
/// Calls that request a value, or only success, then throw ``CumulusError/Code/service`` with that error. Calls that
/// request the ``Response`` don't throw until ``Response/requireSuccess()``. A body that is read as it arrives is
/// examined only if its status is not a success.
///
///     site.setRules { $0.errorDecoders = [.jsonMember("error", "error_code"), .problemDetails] }
public struct ErrorDecoder: Sendable {
    let decode: @Sendable (Response) -> (any Error)?
    /// The same for an event of a stream, whose data is the response's body.
    let decodeEvent: @Sendable (Response) -> (any Error)?

    /// Creates a decoder from a function that returns the error it finds, or `nil`.
    ///
    /// For a status that is not a success, up to 64 KiB of the body are available.
    ///
    /// For an event of the type `error`, or one that can't be decoded, the body is the event's data.
    public init(_ decode: @escaping @Sendable (Response) -> (any Error)?) { self.init(decode, events: decode) }

    private init(
        _ decode: @escaping @Sendable (Response) -> (any Error)?,
        events: @escaping @Sendable (Response) -> (any Error)?
    ) { (self.decode, decodeEvent) = (decode, events) }

    /// Creates a decoder that finds a member in a body that is a JSON object, and creates a ``ServiceError`` from it.
    ///
    /// A member that is `null`, `false` or an empty list is ignored. If the member is a list, its first error is used.
    /// For GraphQL, `.jsonMember("errors")` reads the code in its `extensions`. A body whose media type is not JSON is
    /// not examined.
    ///
    /// - Parameter names: The members, of which the first present one is used: `error`, `error_code`.
    /// - Returns: The decoder.
    public static func jsonMember(_ names: String...) -> ErrorDecoder { jsonMembers(names) }

    /// Creates a decoder that finds the first member present in a list of names, as ``jsonMember(_:)`` does.
    public static func jsonMembers(_ names: [String]) -> ErrorDecoder {
        ErrorDecoder { ServiceError(in: $0, members: names) }
    }

    /// Creates a decoder that decodes bodies of unsuccessful responses, and events of the type `error`, as your own
    /// error type.
    ///
    /// If a body can't be decoded, the call fails with its status as usual. An event that can't be decoded is delivered
    /// like any other event. An event of a different type is examined if it can't be decoded as your value.
    ///
    /// - Parameters:
    ///   - type: Your type.
    ///   - applies: Whether the decoder examines a response; by default, it examines those whose status is not 2xx, and
    ///     events.
    /// - Returns: The decoder.
    public static func decoding<Failure: Error & Decodable>(
        _ type: Failure.Type,
        where applies: (@Sendable (Response) -> Bool)? = nil
    ) -> ErrorDecoder {
        guard let applies else {
            return ErrorDecoder(
                { $0.isSuccessful ? nil : try? $0.decode(as: type) },
                events: { try? $0.decode(as: type) }
            )
        }
        return ErrorDecoder { applies($0) ? try? $0.decode(as: type) : nil }
    }

    /// A decoder that decodes a body of the type `application/problem+json` as ``ProblemDetails``.
    public static let problemDetails = ErrorDecoder { $0.problem }
}

extension SettingList where Element == ErrorDecoder {
    /// Adds a function that returns the error that it finds in a response, or `nil`.
    public mutating func append(_ decode: @escaping @Sendable (Response) -> (any Error)?) {
        append(ErrorDecoder(decode))
    }
}
