// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

/// The name that a field proposes.
@Suite struct ContentDispositionTests {
    @Test(
        "RFC 6266 and RFC 8187: the name in a field",
        arguments: [
            ("attachment; filename=\"a b.txt\"", "a b.txt"), ("attachment; filename=a.txt", "a.txt"),
            ("ATTACHMENT; FILENAME=a.txt", "a.txt"), ("inline;filename = \"a.txt\" ; x=y", "a.txt"),
            ("attachment; filename=\"a\\\"b.txt\"", "a\"b.txt"),
            ("attachment; filename=\"C:\\dir\\a.txt\"", "C:\\dir\\a.txt"),
            ("attachment; filename=\"f\\oo.html\"", "foo.html"), ("attachment; filename=\"a\\\\b\"", "a\\b"),
            ("attachment; filename=\"open\\", "open\\"),
            ("filename=\"a.txt\"", "a.txt"), ("filename=a.txt", "a.txt"), ("filename = a;x=y", "a"),
            ("filename*=UTF-8''na%C3%AFve", "naïve"), ("=;=filename=x;;filename=y", "y"), (";;filename=x", "x"),
            ("attachment; filename=\"a;b.txt\"", "a;b.txt"), ("attachment; filename=a.txt ", "a.txt"),
            ("attachment; filename*=UTF-8''na%C3%AFve%20a.txt", "naïve a.txt"),
            ("attachment; filename=\"plain.txt\"; filename*=utf-8'en'%e2%82%ac.txt", "€.txt"),
            ("attachment; filename*=UTF-8''x.txt; filename=\"plain.txt\"", "x.txt"),
            ("attachment; filename*=ISO-8859-1''caf%E9.txt", "café.txt"),
            ("attachment; filename*=UTF-8''%FF%FE; filename=plain.txt", "plain.txt"),
            ("attachment; filename*=KOI8-R''%C1; filename=plain.txt", "plain.txt"),
            ("attachment; filename*=broken; filename=plain.txt", "plain.txt"),
            ("attachment", nil), ("", nil), ("attachment; x=filename=y", nil), ("attachment; filename", nil),
            ("attachment; filename=\"open", "open"),
            ("attachment; filename=\"a\"\u{301}; x=y", "a"), ("attachment; filename=\"\u{301}a\"", "\u{301}a"),
            ("attachment;\u{301} filename=x", nil), ("attachment; filename=a;\u{301}b", "a"),
            ("attachment; filename=\"a\\\"\u{200D}b\"", "a\"\u{200D}b"),
            ("attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", "../../etc/passwd"),
        ] as [(String, String?)]
    )
    func isRead(field: String, expected: String?) {
        #expect(ContentDisposition.fileName(Array(field.utf8)) == expected)
    }

    @Test("A name whose bytes aren't UTF-8 keeps its letters")
    func isNotUTF8() {
        #expect(ContentDisposition.fileName(Array("attachment; filename=\"caf".utf8) + [0xE9, 0x22]) == "café")
        #expect(ContentDisposition.fileName(Array("attachment; filename=caf".utf8) + [0xE9]) == "café")
        #expect(ContentDisposition.fileName(Array("filename=caf\u{E9}.txt; x=y".utf8)) == "café.txt")
    }
}
