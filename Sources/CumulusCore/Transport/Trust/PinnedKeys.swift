// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The keys that hosts may have, by the names of the pins.
package struct PinnedKeys: Sendable {
    private let pins: [String: Set<PublicKeyPin>]

    package init(_ pins: [String: Set<PublicKeyPin>]) {
        self.pins = Dictionary(pins.map { ($0.lowercased(), $1) }) { $0.union($1) }
    }

    /// The keys that a host may have; `nil` for any.
    ///
    /// The host's own name takes precedence over the longest matching `*.` pattern, and that over `*`.
    package func keys(of host: String) -> Set<PublicKeyPin>? {
        if pins.isEmpty { return nil }
        let host = (host.ends(with: ".") ? String(host.dropLast()) : host).lowercased()
        if let exact = pins[host] { return exact }
        var rest = host[...]
        while let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.utf8.index(after: dot)...]
            if let found = pins["*.\(rest)"] { return found }
        }
        return pins["*"]
    }

    /// The reason to refuse a server's key; `nil` if it is one of the pinned ones.
    ///
    /// - Parameters:
    ///   - key: The key; `nil` if the server has sent none.
    ///   - pinned: The keys that its host may have.
    /// - Returns: The reason, in words.
    package static func refusal(of key: PublicKeyPin?, insteadOf pinned: Set<PublicKeyPin>) -> String? {
        guard let key else { return "it presented no key" }
        return pinned.contains(key) ? nil : "its key \(key) is not one of the pinned keys"
    }
}
