// SPDX-License-Identifier: Apache-2.0

import CumulusJSON
import Testing

@Suite(.serialized) struct JSONWritingTests {
    func text(_ json: JSON, _ options: JSON.WritingOptions = []) -> String {
        String(decoding: json.encoded(options), as: UTF8.self)
    }

    @Test func compactTextKeepsTheOrder() {
        let json: JSON = ["b": [1, -2, 1.5, nil], "a": ["x": true, "w": false], "e": [], "o": [:]]
        #expect(text(json) == #"{"b":[1,-2,1.5,null],"a":{"x":true,"w":false},"e":[],"o":{}}"#)
        #expect(json.description == text(json))
    }

    @Test func prettyTextIsIndentedByTwo() {
        let json: JSON = ["b": [1, [2]], "a": [:], "e": []]
        #expect(
            text(json, .prettyPrinted) == """
                {
                  "b": [
                    1,
                    [
                      2
                    ]
                  ],
                  "a": {},
                  "e": []
                }
                """
        )
    }

    @Test func sortedKeysAreSortedInside() {
        let json: JSON = ["b": ["d": 1, "c": 2], "a": 3, "B": 4, "é": 5]
        #expect(text(json, .sortedKeys) == #"{"B":4,"a":3,"b":{"c":2,"d":1},"é":5}"#)
    }

    @Test func escapesOnlyWhatMustBe() {
        #expect(text("a\"b\\c/d\u{7F}é😀\u{2028}") == "\"a\\\"b\\\\c/d\u{7F}é😀\u{2028}\"")
        #expect(text("\u{0}\u{1}\u{8}\t\n\u{b}\u{c}\r\u{1f} ") == #""\u0000\u0001\b\t\n\u000b\f\r\u001f ""#)
        #expect(text(["a\nb": 1]) == #"{"a\nb":1}"#)
    }

    @Test func everyPlaceOfAnEscapeIsFound() throws {
        for length in 0..<40 {
            for place in 0...length {
                for character in ["\"", "\\", "\n", "\u{1f}", "é"] {
                    let string =
                        String(repeating: "x", count: place) + character
                        + String(repeating: "y", count: length - place)
                    #expect(try JSON(parsing: text(.string(string))) == .string(string))
                }
            }
        }
    }

    @Test(arguments: [0, 1, -1, 9, 10, 99, 100, Int.max, Int.min, 1_000_000_007])
    func integersAreWrittenInDecimal(integer: Int) {
        #expect(text(.number(JSON.Number(integer))) == String(integer))
    }
}
