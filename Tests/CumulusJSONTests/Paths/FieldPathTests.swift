// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusJSON

@Suite struct FieldPathTests {
    @Test(
        arguments: [
            ("a.b", 1), ("l[1]", 3), ("l.0", 2), ("o.0", 9), ("a\\.b", 7), ("a[b", nil), ("x", nil), ("l[9]", nil),
            ("a.b.c", nil), ("l[0][0]", nil), ("/a/b", 1), ("/l/1", 3), ("/a~1b", 8), ("/x", nil),
        ] as [(String, JSON?)]
    )
    func pathOrPointerFindsItsValue(path: String, expected: JSON?) {
        let data: JSON = ["a": ["b": 1], "l": [2, 3], "o": ["0": 9], "a.b": 7, "a/b": 8]
        #expect(FieldPath(anywhere: path).value(in: data) == expected)
    }

    @Test(arguments: [".", "a.", ".a", "a..b", "a[", "a[]", "a[x]", "a[1]b", "a[-1]", "a[99999]", "a\\"])
    func invalidPathIsRefused(path: String) {
        #expect(throws: FieldProblem.self) { try FieldPath(parsing: path) }
    }

    @Test(arguments: ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{34F}"])
    func markAfterADotDoesNotHideIt(mark: String) throws {
        #expect(try FieldPath(parsing: "a.\(mark)b").steps.count == 2)
    }

    @Test func placingCreatesWhatIsMissing() throws {
        let path = try FieldPath(parsing: "user.tags[2]")
        #expect(path.placing("sky", in: [:]) == ["user": ["tags": [nil, nil, "sky"]]])
        #expect(path.placing("sky", in: ["user": ["name": "Ada"]])?["user"]["name"] == "Ada")
        #expect(path.placing("sky", in: ["user": "Ada"]) == nil)
    }
}
