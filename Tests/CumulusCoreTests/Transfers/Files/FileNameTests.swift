// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

/// T-57: names that servers and URLs propose.
@Suite(.serialized) struct FileNameTests {
    @Test(
        "T-57: a proposed name can't lead elsewhere, hide, or fool",
        arguments: [
            ("report.pdf", "report.pdf"), ("naïve résumé.txt", "naïve résumé.txt"), ("日本語.txt", "日本語.txt"),
            ("../x", "x"), ("../../etc/passwd", "passwd"), ("/etc/x", "x"), ("a/b/c.txt", "c.txt"),
            ("C:\\x", "x"), ("..\\..\\x.exe", "x.exe"), ("C:x", "C_x"), ("a:b", "a_b"),
            ("a.txt:stream", "a.txt_stream"),
            (".bashrc", "bashrc"), ("...", nil), (".", nil), ("..", nil), ("", nil), ("   ", nil), ("/", nil),
            ("-rf", "rf"), ("--help.txt", "help.txt"), ("~", nil), ("~root", "root"), (" .-~x", "x"),
            ("a\0b", "ab"), ("a\nb.txt", "ab.txt"), ("a\r\nSet-Cookie: x", "aSet-Cookie_ x"),
            ("a\u{1B}[31mb", "a[31mb"),
            ("a\u{202E}txt.exe", "atxt.exe"), ("a\u{200B}b", "ab"), ("\u{2066}x\u{2069}", "x"), ("a\u{7F}b", "ab"),
            ("a\u{2028}b", "ab"), ("x.txt.", "x.txt"), ("x.txt ", "x.txt"), ("x. . .", "x"),
            ("CON", "_CON"), ("con.txt", "_con.txt"), ("NUL", "_NUL"), ("LPT1.log", "_LPT1.log"), ("COM¹", "_COM¹"),
            ("CONSOLE", "CONSOLE"), ("COM10", "COM10"), ("a?b*c\"d<e>f|g", "a_b_c_d_e_f_g"),
        ] as [(String, String?)]
    )
    func isMadeSafe(proposed: String, expected: String?) {
        #expect(FileName.safe(proposed) == expected)
    }

    @Test("T-57: a long name is cut between characters, and keeps its extension", arguments: ["x", "é", "日", "👨‍👩‍👧"])
    func isCut(character: String) throws {
        let name = try #require(FileName.safe(String(repeating: character, count: 400) + ".tar"))
        #expect(name.utf8.count <= FileName.longest)
        #expect(name.utf8.count > FileName.longest - 40)
        #expect(name.hasSuffix(".tar"))
        #expect(!name.contains("\u{FFFD}"))
    }

    @Test(
        "RFC 6266 and RFC 8187: the name that a field proposes",
        arguments: [
            ("attachment; filename=\"a b.txt\"", "a b.txt"), ("attachment; filename=a.txt", "a.txt"),
            ("ATTACHMENT; FILENAME=a.txt", "a.txt"), ("inline;filename = \"a.txt\" ; x=y", "a.txt"),
            ("attachment; filename=\"a\\\"b.txt\"", "a\"b.txt"),
            ("attachment; filename=\"C:\\dir\\a.txt\"", "C:\\dir\\a.txt"),
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
            ("attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", "../../etc/passwd"),
        ] as [(String, String?)]
    )
    func isRead(field: String, expected: String?) {
        #expect(ContentDisposition.fileName(field) == expected)
    }

    @Test(arguments: [(0, "/a/b.tar.gz"), (1, "/a/b.tar-1.gz"), (12, "/a/b.tar-12.gz")])
    func aNumberGoesBeforeTheExtension(number: Int, expected: String) {
        #expect(FilePath("/a/b.tar.gz").numbered(number).text == expected)
        #expect(FilePath("plain").numbered(1).text == "plain-1")
        #expect(FilePath(".hidden").numbered(1).text == ".hidden-1")
    }
}
