// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCLI

/// Arguments as ArgumentParser gets them.
struct ArgumentSpellingTests {
    @Test(
        "empty and negative values are attached to their option",
        arguments: [
            (["--retry", "-1", "x.y"], ["--retry=-1", "x.y"]), (["--timeout", "-.5"], ["--timeout=-.5"]),
            (["--timeout", "-4.5"], ["--timeout=-4.5"]), (["--timeout", "-60"], ["--timeout=-60"]),
            (["--proxy=", "x.y"], ["--proxy", "", "x.y"]), (["--raw", "x", "-1"], ["--raw", "x", "-1"]),
            (["--", "--retry", "-1"], ["--", "--retry", "-1"]),
        ]
    )
    func values(given: [String], expected: [String]) { #expect(ArgumentSpelling.mended(given) == expected) }

    @Test(
        "-4 and -6 are options behind a long one, too",
        arguments: ["--curl", "--compressed", "--verbose"],
        ["-4", "-6", "-4v", "-6q"]
    )
    func families(option: String, family: String) {
        #expect(ArgumentSpelling.mended([option, family, "x.y"]) == [option, family, "x.y"])
        #expect(mistake([option, family, "x.y"]) == nil)
    }
}
