// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Testing

/// Marks and joiners after a separator don't hide it.
@Suite struct TextByBytesTests {
    private static let marks = ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{34F}"]

    @Test(arguments: marks)
    func partsAreFound(mark: String) {
        #expect("a/\(mark)b".parts(at: "/").map(String.init) == ["a", "\(mark)b"])
        #expect("a=\(mark)b".cut(at: "=")?.behind.utf8.elementsEqual("\(mark)b".utf8) == true)
        #expect("a.\(mark)b".cut(atLast: ".")?.before == "a")
        #expect("a?\(mark)".before("?", "#") == "a")
        #expect("/\(mark)".dropping("/").utf8.elementsEqual(mark.utf8))
        #expect("http:\(mark)//".begins(with: "http:"))
        #expect("a+xml".ends(with: "+xml") && !"a+xml\(mark)".ends(with: "+xml"))
        #expect("a%\(mark)".has("%") && "a%\(mark)".has(anyOf: "%"))
        #expect(" \t\(mark) ".trimmed.utf8.elementsEqual(mark.utf8))
        #expect(" \t ".trimmed.isEmpty && "".dropping("/").isEmpty)
        #expect("aab".place(of: "ab").map { "aab"[$0] } == "ab")
        #expect("".parts(at: "/").map(String.init) == [""] && "".parts(at: "/", omitsEmpty: true).isEmpty)
    }
}
