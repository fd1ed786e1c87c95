// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Why a proxy gave no tunnel.
enum TunnelProblem: Error, Hashable, Sendable {
    /// The response is not a success; with 407, it may name the schemes of credentials.
    case refused(status: Int, schemes: [String] = [])
    /// The response is invalid, too large, or missing.
    case unreadable(HTTP1ProtocolError)
    /// The response is ambiguous.
    case ambiguous
    /// The proxy sent bytes before it was asked, or before the tunnel was in use.
    case unaskedBytes
    /// The handshake of SOCKS failed.
    case socks(SOCKSProblem)

    /// The refusal, if the proxy's response could be understood.
    func refusal(by proxy: Proxy) -> ProxyRefusal? {
        switch self {
        case .refused(let status, let schemes): ProxyRefusal(by: proxy, status: status, schemes: schemes)
        case .socks(.credentials): ProxyRefusal(by: proxy, .credentials)
        case .socks(.refused(let code)): ProxyRefusal(by: proxy, .reply(code))
        default: nil
        }
    }
}

extension TunnelProblem: CustomStringConvertible {
    /// A sentence fragment for the error message that the caller sees.
    var description: String {
        switch self {
        case .refused(let status, _): "it refused with status \(status)"
        case .unreadable(let error): error.proxyDescription
        case .ambiguous: "its response has a malformed line"
        case .unaskedBytes: "it sent unexpected bytes"
        case .socks(let problem): problem.description
        }
    }
}
