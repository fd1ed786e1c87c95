// SPDX-License-Identifier: Apache-2.0

/// Which keys a host may have, by the names that pins are set for.
struct PinnedKeys: Sendable {
    typealias Pin = NIOTransport.Configuration.TLS.PublicKeyPin

    private let pins: [String: Set<Pin>]

    init(_ pins: [String: Set<Pin>]) {
        self.pins = Dictionary(pins.map { ($0.lowercased(), $1) }) { $0.union($1) }
    }

    /// Whether no host is pinned.
    var isEmpty: Bool { pins.isEmpty }

    /// The keys that a host may have; `nil` where any will do.
    ///
    /// The name itself goes before `*.` and what it is under, of those the longest, and `*` comes last.
    func keys(of host: String) -> Set<Pin>? {
        let host = host.hasSuffix(".") ? String(host.dropLast()) : host
        if let exact = pins[host] { return exact }
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if let found = pins["*.\(rest)"] { return found }
        }
        return pins["*"]
    }
}
