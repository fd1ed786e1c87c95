// SPDX-License-Identifier: Apache-2.0

/// Texts by the rules of YAML 1.2.2, each with its outline.
enum YAMLCases {
    /// Scalars without quotes (sections 6.5, 7.3.3).
    static let plain: [(yaml: String, outline: String)] = [
        ("a", "a"), ("a b", "a b"), ("  a  ", "a"), ("a\n", "a"), ("a\nb", "a b"), ("a\n\nb", "a\nb"),
        ("a\n\n\nb", "a\n\nb"),
        ("a \n \t\n  b ", "a\nb"), ("a: b\n  c", "{a: b c}"), ("a: b\n c\n\n d", "{a: b c\nd}"),
        ("a:\n  b\n  c", "{a: b c}"),
        ("- a\n b", "[a b]"), ("- a\n  - b", "[a - b]"), ("a#b", "a#b"), ("a #b", "a"),
        ("a: b #c\nd: e", "{a: b, d: e}"),
        ("a:b", "a:b"), ("a::b", "a::b"), ("a: b:c", "{a: b:c}"),
        ("http://a.example:80/b?c=d#e", "http://a.example:80/b?c=d#e"),
        ("-a", "-a"), ("-1", "-1"), ("?a", "?a"), (":a", ":a"), ("--", "--"), ("- -a", "[-a]"), ("a - b", "a - b"),
        ("a: -b", "{a: -b}"), ("a, b", "a, b"), ("a]}", "a]}"), ("a\"b\"'", "a\"b\"'"), ("a\\n", "a\\n"),
        ("a%b@c`d", "a%b@c`d"), ("a&b *c !d", "a&b *c !d"), ("a | b > c", "a | b > c"), ("é ü: 日本", "{é ü: 日本}"),
        ("😀", "😀"),
        ("a\u{85}b\u{2028}c", "a\u{85}b\u{2028}c"), ("a\n---b", "a ---b"), ("a\n....", "a ...."),
        ("a: b\n \tc", "{a: b c}"),
        ("a\r\nb\r\n\r\nc", "a b\nc"), ("a\rb\r\rc", "a b\nc"), ("a\tb", "a\tb"),
        ("a: 'b'\nc d: e", "{a: \"b\", c d: e}"),
        ("/users/{id}: a", "{/users/{id}: a}"), ("/v1/{a=b/*}:cancel: c", "{/v1/{a=b/*}:cancel: c}"),
        ("a: b[d]c", "{a: b[d]c}"),
    ]

    /// Scalars in quotes (sections 5.7, 7.3.1, 7.3.2).
    static let quoted: [(yaml: String, outline: String)] = [
        (#""""#, #""""#), ("''", #""""#), ("'a'", #""a""#), (#""a""#, #""a""#), ("'it''s'", "it's".debugDescription),
        ("''''", "'".debugDescription), ("'''a'''", "'a'".debugDescription),
        (#"'a\n"b"'"#, "a\\n\"b\"".debugDescription),
        (#""\0\a\b\t\n\v\f\r\e""#, "\0\u{7}\u{8}\t\n\u{B}\u{C}\r\u{1B}".debugDescription),
        (#""\ \"\/\\""#, " \"/\\".debugDescription), (#""\N\_\L\P""#, "\u{85}\u{A0}\u{2028}\u{2029}".debugDescription),
        ("\"\\\t\"", "\t".debugDescription),
        (#""\x41\u0042\U00000043""#, #""ABC""#), (#""\xe9\u65E5\U0001F600""#, #""é日😀""#), ("\"a\n  b\"", #""a b""#),
        ("'a\n  b'", #""a b""#),
        ("\"a\n\n  b\"", "a\nb".debugDescription), ("'a \t\n \t\n\n\tb'", "a\n\nb".debugDescription),
        ("\"a\\\n  b\"", #""ab""#), ("\"a \\\n  \\ b\"", #""a  b""#),
        ("\"a\\\n\n  b\"", "a\nb".debugDescription), ("\"a\\t\n  b\"", "a\t b".debugDescription),
        ("\" a \"", #"" a ""#), ("' a\n b '", #"" a b ""#), ("\"\n a\n \"", #"" a ""#),
        ("'a: b'", #""a: b""#), ("'a #b'", #""a #b""#), ("'- a'", #""- a""#),
        ("\"a\\\r\n b\r\n\r\n c\"", "ab\nc".debugDescription), ("'a' #b", #""a""#),
        ("a: \"b\n\nc\"\nd: e", "{a: \"b\\nc\", d: e}"), ("\"a\": b", "{\"a\": b}"), ("'a' : b", "{\"a\": b}"),
        ("\"--- a\"", #""--- a""#), ("'%a'", #""%a""#),
    ]

    /// Literal and folded scalars (section 8.1).
    static let blocks: [(yaml: String, outline: String)] = [
        ("|\n a\n b\n", "a\nb\n".debugDescription), (">\n a\n b\n", "a b\n".debugDescription), ("|-\n a\n", #""a""#),
        ("|+\n a\n\n", "a\n\n".debugDescription),
        ("|\n a\n\n\n", "a\n".debugDescription), (">-\n a\n\n", #""a""#), (">+\n a\n\n\n", "a\n\n\n".debugDescription),
        ("|\n a", #""a""#), ("|+\n a", #""a""#),
        ("|\n\n\n a\n", "\n\na\n".debugDescription), (">\n\n a\n", "\na\n".debugDescription),
        ("|1\n  a\n", " a\n".debugDescription), ("|2-\n   a\n  b", " a\nb".debugDescription),
        ("|-2\n   a", #"" a""#), ("a: |1\n  b\n", "{a: \" b\\n\"}"), ("- |\n a\n- |\n  b\n", "[\"a\\n\", \"b\\n\"]"),
        ("a:\n- |2\n   b\n", "{a: [\" b\\n\"]}"),
        ("a: |\n  b\nc: d", "{a: \"b\\n\", c: d}"), ("a: |\n\nb: c", "{a: \"\", b: c}"),
        ("a: |+\n\nb: c", "{a: \"\\n\", b: c}"), ("a: |", "{a: \"\"}"), ("a: >-\n\nb: c", "{a: \"\", b: c}"),
        ("|\n a\n  b\n a\n", "a\n b\na\n".debugDescription), (">\n a\n b\n\n c\n", "a b\nc\n".debugDescription),
        (">\n a\n\n\n b\n", "a\n\nb\n".debugDescription),
        (">\n a\n  b\n c\n", "a\n b\nc\n".debugDescription),
        (">\n a\n\n  b\n\n c\n", "a\n\n b\n\nc\n".debugDescription),
        (">\n  * a\n  * b\n", "* a * b\n".debugDescription),
        (">\n a\n \tb\n c\n", "a\n\tb\nc\n".debugDescription), (">\n a\n b\n#c\n", "a b\n".debugDescription),
        ("|\n # a\n", "# a\n".debugDescription), ("| # a\n b\n", "b\n".debugDescription),
        ("|\n a #b\n c: d\n", "a #b\nc: d\n".debugDescription), ("|\r\n a\r\n b\r\n", "a\nb\n".debugDescription),
        ("|\n \ta\n", "\ta\n".debugDescription), ("|\n a  \n", "a  \n".debugDescription),
        ("--- |\na\n%b\n...\n", "a\n%b\n".debugDescription), ("--- >\na\n---\nb", "\"a\\n\" --- b"),
        ("- |\n  a\n # b\n- c", "[\"a\\n\", c]"), ("a: |\n  \n  b\n", "{a: \"\\nb\\n\"}"),
        ("!!str |\n a\n", "<tag:yaml.org,2002:str> \"a\\n\""), ("&a >\n b\n", "&a \"b\\n\""),
        ("? |\n  a\n: b", "{\"a\\n\": b}"), ("|\n a\n   ", "a\n  ".debugDescription),
    ]

    /// Lists and maps in lines (section 8.2).
    static let collections: [(yaml: String, outline: String)] = [
        ("- a\n- b", "[a, b]"), ("-\n  a\n-\n  - b", "[a, [b]]"), ("- - a\n  - b\n- c", "[[a, b], c]"),
        ("-   - a\n    - b", "[[a, b]]"), ("- - - a", "[[[a]]]"),
        ("-", "[empty]"), ("-\n-\n", "[empty, empty]"), ("- a: b\n  c: d\n- e: f", "[{a: b, c: d}, {e: f}]"),
        ("- a:\n    b: c", "[{a: {b: c}}]"), ("-\ta", "[a]"),
        ("a: b", "{a: b}"), ("a:   b", "{a: b}"), ("a:\tb", "{a: b}"), ("a : c", "{a: c}"),
        ("a:\n  b: c\n  d: e\nf: g", "{a: {b: c, d: e}, f: g}"),
        ("a:\n- b\n- c\nd: e", "{a: [b, c], d: e}"), ("a:\n  - b\n  -\n   - c\nd:\n- e", "{a: [b, [c]], d: [e]}"),
        ("a:\n b:\n  c:\n   d: e\nf: g", "{a: {b: {c: {d: e}}}, f: g}"),
        ("a:\nb:", "{a: empty, b: empty}"), ("a:\n\n\n  b\n\nc: d", "{a: b, c: d}"), ("a: # b\n  c: d", "{a: {c: d}}"),
        ("  a: b\n  c: d", "{a: b, c: d}"), ("a: b\n# c\n\n  # d\ne: f", "{a: b, e: f}"),
        ("? a\n: b", "{a: b}"), ("? a", "{a: empty}"), ("?\n: b", "{empty: b}"), ("? a\n? b\n: c", "{a: empty, b: c}"),
        ("? - a\n  - b\n: - c", "{[a, b]: [c]}"), ("?\n- a\n:\n- b", "{[a]: [b]}"),
        ("? a: b\n: c: d", "{{a: b}: {c: d}}"), ("? a\n# b\n: c\nd: e", "{a: c, d: e}"), ("? a\n  b\n: c", "{a b: c}"),
        ("? >\n a\n: b", "{\"a\\n\": b}"),
        ("- ? a\n  : b\n- c", "[{a: b}, c]"), ("a: {b: c}\nd: [e]", "{a: {b: c}, d: [e]}"),
        ("\t\na: b\n\t# c\nd: e", "{a: b, d: e}"), ("a: b\r\nc:\r\n  - d\r\n", "{a: b, c: [d]}"),
        ("\u{FEFF}a: b", "{a: b}"), ("a: \"b: c\"", "{a: \"b: c\"}"), ("a: !b\n  c: d", "{a: {c: d}}"),
        ("a: &b\n  c: d", "{a: &b {c: d}}"), ("&a b: c", "{&a b: c}"),
        ("&a\nb: c", "&a {b: c}"), ("&a\n&b c: d", "&a {&b c: d}"), ("a: &b\n- c", "{a: &b [c]}"),
        ("- &a\n  - b\n- *a", "[&a [b], *a]"), ("*a : b", "{*a: b}"), ("*a: b", "{*a: b}"), ("&a : b", "{&a empty: b}"),
    ]

    /// Lists and maps in brackets and braces (section 7.4).
    static let flow: [(yaml: String, outline: String)] = [
        ("[]", "[]"), ("{}", "{}"), ("[a]", "[a]"), ("[a, b]", "[a, b]"), ("[a, b, ]", "[a, b]"), ("[a,b]", "[a, b]"),
        ("[ a , b ]", "[a, b]"), ("[[a], [b, [c]]]", "[[a], [b, [c]]]"),
        ("{a: b}", "{a: b}"), ("{a: b, c: d}", "{a: b, c: d}"), ("{a: b,}", "{a: b}"),
        ("{a, b: c}", "{a: empty, b: c}"), ("{a: , b}", "{a: empty, b: empty}"), ("{a:b}", "{a:b: empty}"),
        ("{\"a\":b}", "{\"a\": b}"), ("{'a' :b}", "{\"a\": b}"), ("{\"a\"\n:b}", "{\"a\": b}"),
        ("{a:, b:}", "{a: empty, b: empty}"), ("{a: [b], c: {d: e}}", "{a: [b], c: {d: e}}"),
        ("{a\n b: c}", "{a b: c}"),
        ("{? a : b}", "{a: b}"), ("{? a}", "{a: empty}"), ("{? a, b: c}", "{a: empty, b: c}"),
        ("{?\n}", "{empty: empty}"), ("{? : b}", "{empty: b}"), ("{? [a] : b}", "{[a]: b}"),
        ("[a: b]", "[{a: b}]"), ("[a: b, c]", "[{a: b}, c]"), ("[? a : b]", "[{a: b}]"),
        ("[? a\n b : c]", "[{a b: c}]"), ("[?\n: b]", "[{empty: b}]"),
        ("[\"a\":b, 'c' : d]", "[{\"a\": b}, {\"c\": d}]"), ("[a: ]", "[{a: empty}]"), ("[a:]", "[{a: empty}]"),
        ("[\n  a,\n  b # c\n  , d\n]", "[a, b, d]"), ("[a\n b, c]", "[a b, c]"), ("[a\n\n b]", "[a\nb]"),
        ("{\n\ta: b\n}", "{a: b}"), ("a: [\n  b\n]\nc: d", "{a: [b], c: d}"), ("- [a,\n b]\n- c", "[[a, b], c]"),
        ("[a:b, :c, ?d, -e]", "[a:b, :c, ?d, -e]"), ("[-, a]", "[-, a]"), ("[a#b, c #d\n]", "[a#b, c]"),
        ("[http://a.example/b?c=d, e]", "[http://a.example/b?c=d, e]"), ("['a, b', \"[c]\"]", "[\"a, b\", \"[c]\"]"),
        ("[&a b, *a, !c d, !!str]", "[&a b, *a, <!c> d, <tag:yaml.org,2002:str> empty]"),
        ("{&a b: *a, c: &d [e]}", "{&a b: *a, c: &d [e]}"), ("[&a\n b]", "[&a b]"), ("{*a : b}", "{*a: b}"),
        ("[*a : b]", "[{*a: b}]"),
        ("[a] # b", "[a]"), ("--- {a: b}", "{a: b}"), ("[a, [b: c]]", "[a, [{b: c}]]"), ("[!a\n&b c]", "[&b <!a> c]"),
    ]

    /// Directives, markers, tags (sections 6.8, 6.9, chapter 9).
    static let documents: [(yaml: String, outline: String)] = [
        ("", ""), ("\n\n", ""), ("# a", ""), ("...", ""), ("---", "empty"), ("--- a", "a"), ("---\na", "a"),
        ("--- # a\nb", "b"), ("a\n...", "a"), ("a\n...\n# b\n", "a"), ("---\n---\n", "empty --- empty"),
        ("a\n---\nb", "a --- b"), ("a\n...\nb", "a --- b"), ("a\n...\n...\n---\nb", "a --- b"),
        ("%YAML 1.2\n---\na", "a"), ("%YAML 1.1 # b\n--- a", "a"), ("%YAML 1.3\n--- a", "a"),
        ("%FOO bar baz # a\n--- b", "b"),
        ("a\n...\n%YAML 1.2\n---\nb", "a --- b"), ("!a b", "<!a> b"), ("! a", "<!> a"),
        ("!!str a", "<tag:yaml.org,2002:str> a"), ("!<tag:a.example,2026:b> c", "<tag:a.example,2026:b> c"),
        ("!<!a> b", "<!a> b"),
        ("%TAG !a! tag:a.example,2026:\n---\n!a!b c", "<tag:a.example,2026:b> c"),
        ("%TAG !! tag:a.example,2026:\n--- !!int a", "<tag:a.example,2026:int> a"),
        ("%TAG ! !b-\n--- !a c", "<!b-a> c"), ("!a%21%C3%A9 b", "<!a!é> b"),
        ("%TAG !a! !b\n--- !a!c d\n--- !e f", "<!bc> d --- <!e> f"), ("!!str", "<tag:yaml.org,2002:str> empty"),
        ("- !!str\n- !!int", "[<tag:yaml.org,2002:str> empty, <tag:yaml.org,2002:int> empty]"),
        ("&a !b c", "&a <!b> c"), ("!b &a c", "&a <!b> c"),
        ("&a", "&a empty"), ("&a.b/c:d e", "&a.b/c:d e"), ("&é a", "&é a"), ("[&a b, &a c, *a]", "[&a b, &a c, *a]"),
        ("!!map {a: b}", "{a: b}"), ("--- !a\nb", "<!a> b"), ("--- &a\nb: c", "&a {b: c}"),
        ("!a\n&b c: d", "{&b c: d}"), ("!a#b c", "<!a#b> c"),
        ("--- |\n a\n--- >\n b", "\"a\\n\" --- \"b\""), ("---\ta", "a"), ("a: b\n--- c\n", "{a: b} --- c"),
        ("--- 'a\n  b'\n", "\"a b\""), ("--- a\n b", "a b"), ("---\n- a\n...\n", "[a]"),
    ]
}
