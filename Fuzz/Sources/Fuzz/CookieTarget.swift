// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation

/// `Set-Cookie` fields, one a line, from several places: what is kept keeps the rules, and goes out as it came in.
enum CookieTarget: FuzzTarget {
    static let name = "cookie"

    private static let places = [
        "https://www.example.co.uk/a/b", "http://www.example.co.uk/", "https://ada.github.io/", "http://127.0.0.1/x",
        "https://host.intranet./",
    ]

    static func check(_ input: UnsafeRawBufferPointer) {
        let jar = CookieJar(time: { Date(timeIntervalSince1970: 1_800_000_000) })
        for (index, line) in input.split(separator: UInt8(ascii: "\n"), maxSplits: 200).enumerated() {
            try? jar.set(String(decoding: line, as: UTF8.self), from: places[index % places.count])
        }
        let cookies = jar.cookies
        for cookie in cookies {
            expect(!["co.uk", "uk", "github.io", "io", "intranet"].contains(cookie.domain), "a cookie of a suffix")
            expect(cookie.path.utf8.first == UInt8(ascii: "/"), "a path without a slash")
            let bytes = Array(cookie.name.utf8) + Array(cookie.value.revealed.utf8)
            expect(!bytes.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: ";") }, "a byte that splits a field")
            expect(!"\(cookie)".utf8.contains { $0 < 0x20 }, "a description that steers")
        }
        expect(cookies.count <= 250, "more cookies than domains may have")
        let copy = CookieJar(time: { Date(timeIntervalSince1970: 1_800_000_000) })
        do {
            try copy.importCookies(from: jar.exportCookies())
        } catch {
            expect(false, "what was written is not read: \(error)")
        }
        expect(Set(copy.cookies) == Set(cookies), "what was written comes back as something else")
    }
}
