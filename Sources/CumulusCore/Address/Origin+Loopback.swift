// SPDX-License-Identifier: Apache-2.0

extension Origin {
    /// Whether it is this machine by its name or address, so that nobody listens on the way.
    ///
    /// Names below `localhost` are not a server's to give (RFC 6761 section 6.3), and transports don't look them up.
    var isLoopback: Bool {
        if host == "localhost" || host == "::1" || isBelowLocalhost { return true }
        let parts = host.parts(at: ".")
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Whether its name ends in `.localhost`.
    package var isBelowLocalhost: Bool { host.ends(with: ".localhost") }

    /// Whether secrets may go there and come from there without a proxy: over TLS, or without leaving this machine.
    var isConfidential: Bool { scheme == .https || isLoopback }
}
