// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The keys that hosts may have, by the names of the pins.
package struct PinnedKeys: Sendable {
    package typealias Pin = PublicKeyPin

    private let pins: [String: Set<Pin>]

    package init(_ pins: [String: Set<Pin>]) {
        self.pins = Dictionary(pins.map { ($0.lowercased(), $1) }) { $0.union($1) }
    }

    /// Whether no host is pinned.
    package var isEmpty: Bool { pins.isEmpty }

    /// The keys that a host may have; `nil` for any.
    ///
    /// The host's own name takes precedence over the longest matching `*.` pattern, and that over `*`.
    package func keys(of host: String) -> Set<Pin>? {
        let host = host.ends(with: ".") ? String(host.dropLast()) : host
        if let exact = pins[host] { return exact }
        var rest = host[...]
        while let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.utf8.index(after: dot)...]
            if let found = pins["*.\(rest)"] { return found }
        }
        return pins["*"]
    }
}
