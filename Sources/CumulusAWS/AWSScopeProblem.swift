// SPDX-License-Identifier: Apache-2.0

/// The reason why a request can't be signed: neither its host nor the authorizer identifies the service or the region.
///
/// It is the cause of an error with `CumulusError.Code.authorization`.
public struct AWSScopeProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A part of a signature's scope.
    public enum Part: String, Sendable, Hashable {
        /// The service, such as `s3`.
        case service
        /// The region, such as `eu-central-1`.
        case region
    }

    /// The missing part.
    public let part: Part
    /// The request's host.
    public let host: String

    init(_ part: Part, host: String) { (self.part, self.host) = (part, host) }

    /// The host, the missing part, and the parameter that names it.
    public var description: String {
        "\(host) doesn't identify the AWS \(part.rawValue): set it with `\(part.rawValue):`"
    }
}
