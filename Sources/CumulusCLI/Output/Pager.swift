// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// The program that shows output longer than the screen, from the environment.
struct Pager: Equatable, Sendable {
    /// The shell command.
    let command: String

    /// Whether the whole response arrives soon, so that holding it back makes nobody wait.
    func takes(_ head: ResponseHead, as type: MediaType?) -> Bool {
        switch BodyKind(type) {
        case .events, .jsonLines: false
        case .json, .xml, .html: true
        case .other: head.headers[.contentLength].flatMap { Int($0) }.map { $0 <= Pager.longest } ?? false
        }
    }

    /// Longer output goes to the pager while it is still arriving.
    static let longest = 16 << 20
}

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
