// SPDX-License-Identifier: Apache-2.0

/// Why a SOCKS proxy opened no connection.
enum SOCKSProblem: Error, Hashable, Sendable {
    /// Its first byte belongs to another protocol, or another version.
    case otherVersion(UInt8)
    /// It accepts none of the offered methods of authentication, or not these credentials.
    case credentials
    /// It chose a method of authentication that was not offered.
    case unknownMethod(UInt8)
    /// It refused, with this code.
    case refused(UInt8)
    /// Its response has an address of an unknown type.
    case unknownAddress(UInt8)
    /// It sent more than its response, before anyone could have spoken to the host.
    case unaskedBytes
    /// It closed the connection before its response was complete.
    case closed
}

extension SOCKSProblem: CustomStringConvertible {
    /// A sentence fragment for the error message that the caller sees.
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
