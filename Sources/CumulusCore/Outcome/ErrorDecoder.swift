// SPDX-License-Identifier: Apache-2.0

/// Finds a service's own error in a response, whatever its status.
///
/// Calls that ask for a value, or for success alone, then throw ``CumulusError/Code/service`` with that error; calls
/// that ask for the ``Response`` throw nothing until ``Response/requireSuccess()``. A body that is read as it arrives
/// is looked at only if its status is not a success.
///
///     site.errorDecoders = [.jsonMember("error", "error_code"), .problemDetails]
public struct ErrorDecoder: Sendable {
    let decode: @Sendable (Response) -> (any Error)?

    /// Makes a decoder from a function that returns the error it finds, or `nil`.
    ///
    /// For a status that is not a success, up to 64 KiB of the body are available.
    public init(_ decode: @escaping @Sendable (Response) -> (any Error)?) { self.decode = decode }

    /// Finds a member in a body that is a JSON object, and makes a ``ServiceError`` of it.
    ///
    /// A member that is `null` or `false` is none. A body named as something else than JSON is not looked at.
    ///
    /// - Parameter names: The members, the first that is there wins: `error`, `error_code`.
    /// - Returns: The decoder.
    public static func jsonMember(_ names: String...) -> ErrorDecoder {
        ErrorDecoder { ServiceError(in: $0, members: names) }
    }

    /// Decodes bodies of responses that are not a success as your own error type.
    ///
    /// If a body does not decode, the call fails with its status as usual.
    ///
    /// - Parameters:
    ///   - type: Your type.
    ///   - applies: Which responses it applies to; by default those that are not 2xx.
    /// - Returns: The decoder.
    public static func decoding<Failure: Error & Decodable>(
        _ type: Failure.Type,
        where applies: @escaping @Sendable (Response) -> Bool = { !$0.isSuccessful }
    ) -> ErrorDecoder {
        ErrorDecoder { applies($0) ? try? $0.decode(as: type) : nil }
    }

    /// Takes a body called `application/problem+json` as ``ProblemDetails``.
    public static let problemDetails = ErrorDecoder { $0.problem }
}
