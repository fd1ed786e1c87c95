// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension Pager {
    /// `CUMULUS_PAGER`, otherwise `PAGER`, otherwise less if it is installed; `nil` if there is none, or none is
    /// wanted.
    init?(in surroundings: Surroundings) {
        let environment = surroundings.environment
        if environment["TERM"] == "dumb" { return nil }
        guard let named = environment["CUMULUS_PAGER"] ?? environment["PAGER"] else {
            guard Pager.isThere("less", environment) else { return nil }
            self.init(command: "less")
            return
        }
        if named.isEmpty || named == "cat" { return nil }
        self.init(command: named)
    }

    /// Whether a program is in one of the folders of the search path.
    private static func isThere(_ name: String, _ environment: [String: String]) -> Bool {
        (environment["PATH"] ?? "/usr/bin:/bin").parts(at: ":").contains { folder in
            folder.utf8.first == UInt8(ascii: "/") && Descriptor.isExecutable("\(folder)/\(name)")
        }
    }
}
