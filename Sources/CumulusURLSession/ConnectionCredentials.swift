// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Users and passwords for NTLM and Negotiate, which authenticate a connection instead of a request (RFC 4559).
///
/// The pipeline can't do that, since it doesn't know connections; URLSession does on Apple's systems.
struct ConnectionCredentials: Sendable {
    let byOrigin: [Origin: Credentials]

    /// The credential for a challenge; `nil` if another scheme, a proxy, another origin or a wrong password is behind it.
    func credential(for space: URLProtectionSpace, failures: Int) -> URLCredential? {
        let schemes = [NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate]
        guard failures == 0, schemes.contains(space.authenticationMethod), let origin = Origin(of: space),
            let credentials = byOrigin[origin]
        else { return nil }
        // Kept nowhere: a second connection asks again.
        return URLCredential(user: credentials.user, password: credentials.password.revealed, persistence: .none)
    }
}
