// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A netrc file that is read gives a user who was asked for that user's password, or none.
enum NetrcTarget: FuzzTarget {
    static let name = "netrc"

    static func check(_ input: UnsafeRawBufferPointer) {
        guard let file = try? NetrcFile(parsing: [UInt8](input)) else { return }
        for host in ["a", "a.example", "localhost"] {
            let origin = Origin(scheme: .https, host: host)
            guard let found = file.credentials(for: origin) else { continue }
            let again = file.credentials(for: origin, user: found.user)
            expect(again == found, "\(host): another password for the same user")
            expect(file.credentials(for: origin, user: found.user + "x")?.user != found.user, "\(host): another user's")
        }
    }
}
