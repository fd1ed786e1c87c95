// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Foundation
import Testing

/// Names proposed by servers and URLs.
@Suite(.serialized) struct FileNameTests {
    @Test(
        "a proposed name can't lead elsewhere, hide, or deceive",
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

    @Test(
        "a character after a separator or a dot in a proposed name doesn't hide it",
        arguments: [
            "\u{200D}", "\u{200C}", "\u{301}", "\u{FE0F}", "\u{FE00}", "\u{E0100}", "\u{34F}", "\u{20DD}", "\u{903}",
            "\u{3164}", "\u{115F}", "\u{2800}", "\u{202E}", "\u{FEFF}", "\u{180B}", "\u{E0061}", "\u{600}",
        ]
    )
    func scalarsAreJudged(hiding: String) {
        for separator in ["/", "\\"] {
            let path = "\(separator)\(hiding)..\(separator)\(hiding)..\(separator)\(hiding)x"
            for proposed in [path, hiding + path, path + hiding, "a\(path)", "C:\(hiding)\(path)"] {
                let name = FileName.safe(proposed)
                #expect(name?.utf8.contains(UInt8(ascii: "/")) != true)
                #expect(name?.utf8.contains(UInt8(ascii: "\\")) != true)
                #expect(name?.utf8.contains(UInt8(ascii: ".")) != true)
            }
        }
        for hidden in [".\(hiding)bashrc", "\(hiding).\(hiding)bashrc", "-\(hiding)~\(hiding)bashrc"] {
            #expect(FileName.safe(hidden)?.utf8.suffix(6).elementsEqual("bashrc".utf8) == true)
            #expect(".-~".utf8.contains(FileName.safe(hidden)?.utf8.first ?? 0x2E) == false)
        }
        for nothing in [".\(hiding).", "\(hiding)..\(hiding)", "/\(hiding)"] {
            #expect(FileName.safe(nothing)?.unicodeScalars.contains { $0 == "." || $0 == "/" } != true)
        }
    }

    @Test(
        "spaces don't push an extension out of sight, and invisible characters are removed",
        arguments: [
            ("report.pdf          .exe", "report.pdf.exe"), ("a  \u{3000}\u{A0} b.txt", "a b.txt"),
            ("a\u{2800}\u{2800}\u{2800}.exe", "a.exe"), ("a\u{3164}\u{115F}\u{34F}.exe", "a.exe"),
            ("a \u{200B} \u{2800} .exe", "a.exe"), ("\u{301}\u{301}x", "x"), ("\u{37E}", "\u{37E}"),
            ("CON\u{200D}", "_CON"), ("C\u{200B}ON .txt", "_CON.txt"),
        ] as [(String, String?)]
    )
    func nothingIsInvisible(proposed: String, expected: String?) {
        #expect(FileName.safe(proposed).map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
    }

    @Test("a safe name stays safe in each normalization form of a file system")
    func staysSafeNormalized() throws {
        var failed: [String] = []
        func check(_ proposed: String) {
            guard let name = FileName.safe(proposed) else { return }
            let forms = [name.decomposedStringWithCanonicalMapping, name.precomposedStringWithCanonicalMapping]
            let isSafe = forms.allSatisfy { form in
                !form.unicodeScalars.contains { "/\\.:*?\"<>|\0".unicodeScalars.contains($0) }
                    && FileName.isOneComponent(form.utf8)
            }
            if !isSafe { failed.append(proposed) }
        }
        // The remaining ones normalize only to their own kind, or are left out.
        for first in stride(from: UInt32(0x80), to: 0x3_0000, by: 16) {
            let scalars = (first..<first + 16).compactMap(Unicode.Scalar.init)
            check(scalars.map { "a\($0)" }.joined())
            if first < 0x3000 { for scalar in scalars { check(".\(scalar)") } }
        }
        #expect(failed == [])
    }

    @Test("a device name of any length is marked and shortened once: making it safe again changes nothing")
    func longDevices() throws {
        for device in ["COM1", "nul", "Com\u{B9}"] {
            for count in [1, 150, 400] {
                let name = try #require(FileName.safe("\(device).\(String(repeating: "H", count: count)).txt"))
                #expect(name.utf8.first == UInt8(ascii: "_"))
                #expect(name.utf8.count <= FileName.longest)
                #expect(FileName.safe(name) == name)
            }
        }
    }

    @Test("a name that is not a single component is not joined to the directory")
    func isOneComponent() {
        for name in ["", ".", "..", "a/b", "/", "a\0b", "/\u{301}", "a/\u{200D}", String(repeating: "x", count: 256)] {
            #expect(FilePath(of: name, inFolder: "/tmp") == nil)
        }
        for folder in ["/tmp", "/tmp/", "relative", ""] {
            let path = FilePath(of: "\u{301}x", inFolder: folder)
            #expect(path?.name.utf8.elementsEqual("\u{301}x".utf8) == true)
        }
    }

    @Test("a path is split at its slashes, whatever follows them")
    func slashesAreFound() {
        #expect(FilePath("/a/\u{301}b").directory == "/a")
        #expect(FilePath("/a/\u{301}b").name == "\u{301}b")
        #expect(FilePath("/\u{200D}b").directory == "/")
        #expect(FilePath("a/", "b").text == "a/b")
        #expect(FilePath("a.\u{301}b").numbered(1).text == "a-1.\u{301}b")
    }

    @Test(
        "a long name is cut between characters, and keeps its extension",
        arguments: ["x", "é", "日", "👨‍👩‍👧", "e\u{301}"]
    )
    func isCut(character: String) throws {
        let name = try #require(FileName.safe(String(repeating: character, count: 400) + ".tar"))
        #expect(name.utf8.count <= FileName.longest)
        #expect(name.utf8.count > FileName.longest - 40)
        #expect(name.hasSuffix(".tar"))
        #expect(!name.contains("\u{FFFD}"))
    }

    @Test("A name whose bytes aren't UTF-8 keeps its letters")
    func isNotUTF8() {
        #expect(FileName.safe(FileName.text(of: [0x61, 0x85, 0x2F, 0xE9])) == "é", "controls and slashes count")
    }

    @Test(arguments: [(0, "/a/b.tar.gz"), (1, "/a/b.tar-1.gz"), (12, "/a/b.tar-12.gz")])
    func aNumberGoesBeforeTheExtension(number: Int, expected: String) {
        #expect(FilePath("/a/b.tar.gz").numbered(number).text == expected)
        #expect(FilePath("plain").numbered(1).text == "plain-1")
        #expect(FilePath(".hidden").numbered(1).text == ".hidden-1")
    }
}
