// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation

/// A file of cookies that is read is the same once it is written and read again.
enum CookieFileTarget: FuzzTarget {
    static let name = "cookie-file"

    static func check(_ input: UnsafeRawBufferPointer) {
        let jar = CookieJar(time: { Date(timeIntervalSince1970: 1_800_000_000) })
        do {
            try jar.importCookies(from: [UInt8](input))
        } catch {
            expect(jar.cookies.isEmpty, "a part of a bad file was taken")
            return
        }
        let copy = CookieJar(time: { Date(timeIntervalSince1970: 1_800_000_000) })
        do {
            try copy.importCookies(from: jar.exportCookies())
        } catch {
            expect(false, "what was written is not read: \(error)")
        }
        expect(Set(copy.cookies) == Set(jar.cookies), "what was written comes back as something else")
    }
}
