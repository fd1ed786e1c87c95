// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The folder for the command's stored data, in files that only the user may read.
struct StateFolder: Equatable, Sendable {
    let path: String

    /// Below `$XDG_STATE_HOME`, otherwise below `~/.local/state`; `nil` if neither is known.
    init?(_ environment: [String: String]) {
        func absolute(_ name: String) -> String? {
            environment[name].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
        }
        guard let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map({ "\($0)/.local/state" }) else {
            return nil
        }
        path = "\(state)/cumulus"
    }

    /// A file name for an origin, of letters, digits, dots, dashes and underscores.
    static func name(of origin: Origin) -> String {
        let host = origin.host.utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                byte
            default: UInt8(ascii: "_")
            }
        }
        return "\(origin.scheme.rawValue)_\(String(decoding: host, as: UTF8.self))_\(origin.port)"
    }
}
