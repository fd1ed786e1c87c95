// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCLI

@Suite(.serialized) struct RequestItemTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let text: String
        let kind: RequestItem.Kind
        let name: String
        let value: String

        init(_ text: String, _ kind: RequestItem.Kind, _ name: String, _ value: String) {
            self.text = text
            self.kind = kind
            self.name = name
            self.value = value
        }

        var testDescription: String { text }
    }

    @Test(arguments: [
        Sample("name=Ada", .text, "name", "Ada"),
        Sample("name=", .text, "name", ""),
        Sample("a=b=c", .text, "a", "b=c"),
        Sample("age:=36", .json, "age", "36"),
        Sample("q==cats", .query, "q", "cats"),
        Sample("q==", .query, "q", ""),
        Sample("q===x", .query, "q", "=x"),
        Sample("X-Test:yes", .header, "X-Test", "yes"),
        Sample("X-Test:", .header, "X-Test", ""),
        Sample("X-Time:10:30", .header, "X-Time", "10:30"),
        Sample("X-Test;", .emptyHeader, "X-Test", ""),
        Sample("bio=@bio.txt", .textFromFile, "bio", "bio.txt"),
        Sample("doc:=@doc.json", .jsonFromFile, "doc", "doc.json"),
        Sample("q==@q.txt", .queryFromFile, "q", "q.txt"),
        Sample("X-Key:@key.txt", .headerFromFile, "X-Key", "key.txt"),
        Sample("photo@cat.png", .upload, "photo", "cat.png"),
        Sample("mail=a@b.c", .text, "mail", "a@b.c"),
        Sample("url=http://x/?a=b", .text, "url", "http://x/?a=b"),
        Sample("a[b][]=x", .text, "a[b][]", "x"),
        Sample("field\\:name=x", .text, "field:name", "x"),
        Sample("a\\=b=c", .text, "a=b", "c"),
        Sample("a\\=\\=b==c", .query, "a==b", "c"),
        Sample("a=\\@file", .text, "a", "@file"),
        Sample("path=C:\\dir", .text, "path", "C:\\dir"),
        Sample("a\\[b=x", .text, "a\\[b", "x"),
        Sample("=x", .text, "", "x"),
        Sample("Größe=groß", .text, "Größe", "groß"),
    ])
    func splitsAtTheFirstSeparatorThatMeansSomething(sample: Sample) throws {
        let item = try RequestItem(parsing: sample.text)
        #expect(item == RequestItem(kind: sample.kind, name: sample.name, value: sample.value))
    }

    private static let mistakes: [(text: String, reason: String, hint: String?)] = [
        ("word", "no separator", "name==text is a query item"),
        ("POST", "no separator", "write the method before the URL: cumulus POST URL"),
        ("get", "no separator", "write the method before the URL"),
        ("\u{201C}word\u{201D}", "no separator", "typographic quote"),
        ("\u{201C}name=Ada\u{201D}", "begins with a typographic quote", "type ' or \" instead"),
        ("X-Test;now", "text after its semicolon", "X-Test:value sets a header"),
        ("==x", "no name", nil),
        (":x", "no name", nil),
    ]

    @Test(arguments: mistakes)
    func refusesWhatIsNoItem(text: String, reason: String, hint: String?) throws {
        let error = #expect(throws: UsageMistake.self) { try RequestItem(parsing: text) }
        #expect(error?.reason.contains(reason) == true)
        if let hint { #expect(error?.hint?.contains(hint) == true) }
    }
}
