// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Children made with a printf-style format.
@Suite struct PathFormatTests {
    private let echo = Echo()
    private var site: Resource { echo.site }

    private func path(_ format: String, _ values: [any CustomStringConvertible]) -> String? {
        let child: Resource
        switch values.count {
        case 0: child = site.child(format: format)
        case 1: child = site.child(format: format, values[0])
        default: child = site.child(format: format, values[0], values[1])
        }
        return child.urlString.map { String($0.dropFirst("https://api.example.com".count)) }
    }

    @Test(
        "conversions are printf's",
        arguments: [
            ("users/%@", "ada", "/users/ada"), ("users/%s", "a/b", "/users/a%2Fb"),
            ("n/%5.2s|", "abc", "/n/%20%20%20ab%7C"),
        ]
    )
    func texts(format: String, value: String, expected: String) {
        #expect(path(format, [value]) == expected)
    }

    @Test(
        "integers",
        arguments: [
            ("%d", 7, "/7"), ("%05d", 42, "/00042"), ("%05d", -42, "/-0042"), ("%+d", 7, "/%2B7"), ("%.3d", 7, "/007"),
            ("%-4dx", 7, "/7%20%20%20x"), ("%x", 255, "/ff"), ("%X", 255, "/FF"), ("%#x", 255, "/0xff"),
            ("%o", 8, "/10"),
            ("%08x", 48_879, "/0000beef"), ("%lld", 7, "/7"), ("%u", 7, "/7"), ("100%%/%d", 7, "/100%25/7"),
        ]
    )
    func integers(format: String, value: Int, expected: String) {
        #expect(path(format, [value]) == expected)
    }

    @Test(
        "fractions",
        arguments: [
            ("%.2f", 3.14159, "/3.14"), ("%f", 0.5, "/0.500000"), ("%07.2f", -1.5, "/-001.50"), ("%.0f", 2.5, "/2"),
            ("%e", 12_345.678, "/1.234568e%2B04"), ("%g", 0.0001, "/0.0001"),
        ]
    )
    func fractions(format: String, value: Double, expected: String) {
        #expect(path(format, [value]) == expected)
    }

    @Test("values by their position")
    func positions() {
        #expect(path("%2$@/%1$05d", [7, "ada"]) == "/ada/00007")
        #expect(path("%1$@/%1$@", ["ada"]) == "/ada/ada")
    }

    @Test(
        "mismatches are refused, and reported",
        arguments: [
            ("%d", "abc", "requires an integer for value 1"), ("%x", "-1", "requires a non-negative integer"),
            ("%f", "nan", "requires a finite number"), ("%q", "1", "unknown conversion"),
            ("%9999d", "1", "unknown conversion"),
            ("%2$@", "1", "without a value"), ("%@%@", "1", "without a value"), ("a", "1", "leaves a value unused"),
            ("%", "1", "unknown conversion"), ("%@/../x", "1", "would leave its place"),
        ]
    )
    func refusals(format: String, value: String, reason: String) async throws {
        let error = try await failure { try await site.child(format: format, value).get() }
        #expect(error.code == .invalidPath)
        #expect(error.message.contains(reason), "\(error.message)")
    }
}
