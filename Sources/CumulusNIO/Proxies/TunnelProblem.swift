// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Why a proxy gave no tunnel.
enum TunnelProblem: Error, Hashable, Sendable {
    /// It answered, and not with success.
    case refused(status: Int)
    /// Its answer can't be read, is too large, or didn't come.
    case unreadable(HTTP1ProtocolError)
    /// Its answer could be read, but in more than one way.
    case ambiguous
    /// It said something before it was asked, or before anybody could have spoken through the tunnel.
    case unaskedBytes
    /// The handshake of SOCKS failed.
    case socks(SOCKSProblem)

    /// The refusal that it is, if the proxy's answer could be understood.
    func refusal(by proxy: Proxy) -> ProxyRefusal? {
        switch self {
        case .refused(let status): ProxyRefusal(by: proxy, status: status)
        case .socks(.credentials): ProxyRefusal(by: proxy, .credentials)
        case .socks(.refused(let code)): ProxyRefusal(by: proxy, .reply(code))
        default: nil
        }
    }
}

extension TunnelProblem: CustomStringConvertible {
    /// A sentence fragment for the message of the error that the caller sees.
    var description: String {
        switch self {
        case .refused(let status): "it refused with status \(status)"
        case .unreadable(let error): error.description
        case .ambiguous: "its answer has a malformed line"
        case .unaskedBytes: "it sent unexpected bytes"
        case .socks(let problem): problem.description
        }
    }
}
