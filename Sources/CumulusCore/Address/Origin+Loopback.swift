// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension Origin {
    /// Whether the name or address is this machine's, so that nobody can listen on the way.
    ///
    /// Servers can't define names below `localhost` (RFC 6761 section 6.3), and transports don't look them up.
    public var isLoopback: Bool {
        if host == "localhost" || host == "::1" || isBelowLocalhost { return true }
        let parts = host.parts(at: ".")
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Whether the name ends in `.localhost`.
    package var isBelowLocalhost: Bool { host.ends(with: ".localhost") }

    /// Whether secrets may be exchanged with it without a proxy: over TLS, or without leaving this machine.
    public var isConfidential: Bool { scheme == .https || isLoopback }
}
