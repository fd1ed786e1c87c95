// SPDX-License-Identifier: Apache-2.0

/// Why a SOCKS proxy opened no connection.
enum SOCKSProblem: Error, Hashable, Sendable {
    /// Its first byte names another protocol, or another version.
    case otherVersion(UInt8)
    /// It takes none of the offered ways to prove who asks, or not these credentials.
    case credentials
    /// It chose a way to prove who asks that was not offered.
    case unknownMethod(UInt8)
    /// It refused, with this code.
    case refused(UInt8)
    /// Its answer has an address of an unknown type.
    case unknownAddress(UInt8)
    /// It sent more than its answer, before anybody could have spoken to the host.
    case unaskedBytes
    /// It closed the connection before its answer was whole.
    case closed
}

extension SOCKSProblem: CustomStringConvertible {
    /// A sentence fragment for the message of the error that the caller sees.
    var description: String {
        switch self {
        case .otherVersion(let byte): "its answer is not in this version of SOCKS (it begins with byte \(byte))"
        case .credentials: "it accepts none of the credentials"
        case .unknownMethod(let byte): "it chose an authentication method that was not offered (\(byte))"
        case .refused(let code): "it refused with code \(code)"
        case .unknownAddress(let byte): "its answer has an address of an unknown type (\(byte))"
        case .unaskedBytes: "it sent unexpected bytes"
        case .closed: "it closed the connection before its answer was whole"
        }
    }
}
