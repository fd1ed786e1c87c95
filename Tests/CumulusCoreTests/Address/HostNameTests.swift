// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

/// Host names in any script (UTS 46).
///
/// The expected results are those of Python's idna 3.13 (`idna.encode(host, uts46=True, transitional=False,
/// std3_rules=False)`), except for symbols, which UTS 46 allows.
@Suite struct HostNameTests {
    private static let names: [(host: String, ascii: String)] = [
        ("b\u{FC}cher.example", "xn--bcher-kva.example"), ("B\u{DC}CHER.Example", "xn--bcher-kva.example"),
        ("fa\u{DF}.de", "xn--fa-hia.de"), ("\u{1E9E}.de", "xn--zca.de"), ("stra\u{DF}e.de", "xn--strae-oqa.de"),
        ("\u{3B2}\u{3CC}\u{3BB}\u{3BF}\u{3C2}.com", "xn--nxasmm1c.com"),
        ("\u{4F8B}\u{3048}.\u{30C6}\u{30B9}\u{30C8}", "xn--r8jz45g.xn--zckzah"),
        ("www\u{3002}\u{4F8B}\u{3048}\u{3002}com", "www.xn--r8jz45g.com"), ("\u{2167}.com", "viii.com"),
        ("\u{FB01}.com", "fi.com"), ("\u{65E5}\u{672C}\u{8A9E}.jp", "xn--wgv71a119e.jp"),
        ("\u{2603}.net", "xn--n3h.net"), ("a\u{308}.de", "xn--4ca.de"), ("\u{1100}\u{1161}.kr", "xn--o39a.kr"),
        ("\u{AC00}\u{AC01}.kr", "xn--o39ac.kr"), ("\u{D55C}\u{AD6D}.kr", "xn--3e0b707e.kr"),
        ("ab\u{AD}c.de", "abc.de"), ("\u{FF11}\u{FF12}\u{FF17}.\u{FF10}.\u{FF10}.\u{FF11}", "127.0.0.1"),
        ("\u{1F0}.de", "xn--ska.de"), ("q\u{323}\u{307}.com", "xn--q-9bb7f.com"),
        ("q\u{307}\u{323}.com", "xn--q-9bb7f.com"), ("\u{130}.com", "xn--i-9bb.com"), ("\u{212B}.com", "xn--5ca.com"),
        ("\u{645}\u{62B}\u{627}\u{644}.\u{625}\u{62E}\u{62A}\u{628}\u{627}\u{631}", "xn--mgbh0fb.xn--kgbechtv"),
        ("\u{5E2}\u{5D1}\u{5E8}\u{5D9}\u{5EA}1.com", "xn--1-1hcy8a5an.com"), ("a.\u{5E0}.com", "a.xn--leb.com"),
        ("\u{646}\u{627}\u{645}\u{647}\u{200C}\u{627}\u{6CC}.com", "xn--mgba3gch31f060k.com"),
        ("\u{915}\u{94D}\u{200C}\u{937}.com", "xn--11b2ezcs70k.com"),
        ("xn--mnchen-3ya.\u{FC}.de", "xn--mnchen-3ya.xn--tda.de"),
        ("XN--mnchen-3ya.de", "xn--mnchen-3ya.de"), ("a_b.xn--mnchen-3ya.de.", "a_b.xn--mnchen-3ya.de."),
        ("r3---sn-4g5e6nzz.example", "r3---sn-4g5e6nzz.example"), ("axn--zzzz.example", "axn--zzzz.example"),
    ]

    @Test("a name is sent in the form of DNS", arguments: names)
    func encoded(name: (host: String, ascii: String)) throws {
        #expect(try RequestURL("https://\(name.host):8443/x").description == "https://\(name.ascii):8443/x")
    }

    private static let wrong: [(host: String, reason: String)] = [
        ("\u{5E0}1a.com", "mixes text directions"), ("1\u{5E2}\u{5D1}.com", "mixes text directions"),
        ("\u{301}a.de", "begins with a mark"), ("a\u{200C}b.com", "a joiner where it is not allowed"),
        ("\u{928}\u{93F}\u{200D}\u{928}.com", "a joiner where it is not allowed"),
        (String(repeating: "\u{FC}", count: 70) + ".de", "a label of more than 63 bytes"),
        (String(repeating: "\u{FC}", count: 600), "longer than 253 bytes"), ("a\u{E000}.de", "U+E000"),
        ("a\u{FF0F}b.com", "contains a character that is not allowed in a host name"),
        ("xn--zzzz.\u{FC}.com", "begins with xn--"),
        ("xn--zzzz.com", "begins with xn--"), ("www.XN--a.de", "begins with xn--"), ("xn--.de:80", "begins with xn--"),
        ("xn--bcher-kvb\u{2E}xn--0.de", "begins with xn--"),
        ("xn--a.\u{FC}.de", "begins with xn--"), ("xn--.\u{FC}.de", "begins with xn--"),
        ("\u{FF3B}::1\u{FF3D}\u{FC}", "port is not a number"), ("a%2Fb", "contains a character"),
        ("a%FF", "not valid UTF-8"),
        ("a\u{202E}b.com", "U+202E"), ("\u{FC}..de", "an empty label"),
    ]

    @Test("an invalid name is refused, and quoted", arguments: wrong)
    func refused(name: (host: String, reason: String)) {
        do {
            Issue.record("\(try RequestURL("https://\(name.host)/"))")
        } catch {
            #expect(error.description.contains(name.reason), "\(error.description)")
        }
    }

    @Test("a redirect may also lead to such a name")
    func resolved() throws {
        let base = try RequestURL("https://a.example/")
        #expect(try base.resolving("//b\u{FC}cher.example/x").description == "https://xn--bcher-kva.example/x")
        #expect(try base.resolving("http://b%C3%BCcher.example/x").description == "http://xn--bcher-kva.example/x")
    }
}
