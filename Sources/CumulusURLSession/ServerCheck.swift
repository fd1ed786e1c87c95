// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The check of one server's certificate.
struct ServerCheck: Sendable, Hashable {
    /// The authorities; `nil` for the system's.
    let anchors: TrustPolicy.Anchors?
    /// The keys that the server may have; `nil` for any.
    let keys: Set<PublicKeyPin>?

    /// The reason to refuse a server; `nil` if it is accepted.
    ///
    /// - Parameters:
    ///   - distrust: The system's reason for not trusting the certificate; `nil` if the system trusts it.
    ///   - certificate: The server's own certificate, in DER.
    /// - Returns: The reason, in words.
    func refusal(distrust: String?, certificate: [UInt8]?) -> String? {
        if let distrust { return distrust }
        guard let keys else { return nil }
        return PinnedKeys.refusal(of: certificate.flatMap { PublicKeyPin(der: $0) }, insteadOf: keys)
    }
}
