// SPDX-License-Identifier: Apache-2.0

extension Origin {
    /// Whether it is this machine by its name or address, so that nobody listens on the way.
    var isLoopback: Bool {
        if host == "localhost" || host == "::1" || host.ends(with: ".localhost") { return true }
        let parts = host.parts(at: ".")
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
