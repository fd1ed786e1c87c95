// SPDX-License-Identifier: Apache-2.0

/// Why a response's bytes can't be combined with the existing ones.
enum RangeMismatch: Sendable, Hashable {
    /// The file has changed.
    case changed(String)
    /// The server's ranges can't be trusted.
    case unreliable(String)

    var reason: String {
        switch self {
        case .changed(let reason), .unreliable(let reason): reason
        }
    }

    /// The error's code, if starting over doesn't help.
    var code: CumulusError.Code {
        switch self {
        case .changed: .remoteChanged
        case .unreliable: .malformedResponse
        }
    }
}
