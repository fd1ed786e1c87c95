// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

/// Media types are parsed as RFC 9110 defines.
@Suite(.serialized) struct MediaTypeTests {
    @Test(arguments: [
        ("text/html", "text/html", 0), ("TEXT/Html; Charset=UTF-8", "text/html", 1),
        ("application/json ; a=b;c=d", "application/json", 2), (#"text/plain; x="a;b\"c""#, "text/plain", 1),
        ("application/problem+json", "application/problem+json", 0), ("text/html;", "text/html", 0),
    ])
    func parses(text: String, essence: String, parameters: Int) throws {
        let type = try #require(MediaType(parsing: text))
        #expect(type.essence == essence)
        #expect(type.parameters.count == parameters)
    }

    @Test(arguments: ["", "text", "text/", "/html", "te xt/html", "a/b/c", ";charset=utf-8"]) func refuses(text: String)
    {
        #expect(MediaType(parsing: text) == nil)
    }

    @Test func unquotesParameters() throws {
        let type = try #require(MediaType(parsing: #"text/plain; Charset="utf-8"; x="a;b\"c""#))
        #expect(type["charset"] == "utf-8")
        #expect(type["X"] == "a;b\"c")
        #expect(type.description == #"text/plain; charset=utf-8; x="a;b\"c""#)
        #expect(MediaType(parsing: type.description) == type)
    }

    /// Found by fuzzing: as Swift characters, the quotes would include these marks.
    @Test(arguments: ["\u{301}x", "x\u{600}", "\\\u{301}", "\"\u{200D}", ";\u{301}", " \u{301} "])
    func marksBesideQuotesAreKept(value: String) throws {
        let type = MediaType("a", "b", parameters: [.init(name: "c", value: value), .init(name: "d", value: "e")])
        #expect(MediaType(parsing: type.description)?.description == type.description)
        #expect(MediaType(parsing: type.description)?["c"]?.unicodeScalars.elementsEqual(value.unicodeScalars) == true)
        #expect(MediaType(parsing: type.description)?["d"] == "e")
    }

    @Test func knowsJSONByItsSuffix() {
        #expect(MediaType(parsing: "application/vnd.api+json")?.isJSON == true)
        #expect(MediaType.json.isJSON)
        #expect(!MediaType.xml.isJSON)
    }
}
