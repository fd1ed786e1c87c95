// SPDX-License-Identifier: Apache-2.0

/// Why an answer's bytes can't stand beside those that are there.
enum RangeMismatch: Sendable, Hashable {
    /// The file is another one now.
    case changed(String)
    /// The server can't be trusted with ranges.
    case unreliable(String)

    var reason: String {
        switch self {
        case .changed(let reason), .unreliable(let reason): reason
        }
    }

    /// The error, where beginning again doesn't help.
    var code: CumulusError.Code {
        switch self {
        case .changed: .remoteChanged
        case .unreliable: .malformedResponse
        }
    }
}
