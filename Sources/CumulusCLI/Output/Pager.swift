// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// The program that shows what is longer than the screen, as the environment names it.
struct Pager: Equatable, Sendable {
    /// What a shell runs.
    let command: String

    init(command: String) { self.command = command }

    /// `CUMULUS_PAGER`, else `PAGER`, else less where it is installed; `nil` where there is none, or none is wanted.
    init?(in surroundings: Surroundings) {
        let environment = surroundings.environment
        if environment["TERM"] == "dumb" { return nil }
        guard let named = environment["CUMULUS_PAGER"] ?? environment["PAGER"] else {
            guard Pager.isThere("less", environment) else { return nil }
            command = "less"
            return
        }
        if named.isEmpty || named == "cat" { return nil }
        command = named
    }

    /// Whether the answer is all there soon, so that holding it back keeps nobody waiting.
    func takes(_ head: ResponseHead, as type: MediaType?) -> Bool {
        switch BodyKind(type) {
        case .events, .jsonLines: false
        case .json, .xml, .html: true
        case .other: head.headers[.contentLength].flatMap { Int($0) }.map { $0 <= Pager.longest } ?? false
        }
    }

    /// More than this goes to the pager while it still comes.
    static let longest = 16 << 20

    /// Whether a program is in one of the folders that are looked through for it.
    private static func isThere(_ name: String, _ environment: [String: String]) -> Bool {
        (environment["PATH"] ?? "/usr/bin:/bin").parts(at: ":").contains { folder in
            folder.utf8.first == UInt8(ascii: "/") && Descriptor.isExecutable("\(folder)/\(name)")
        }
    }
}
