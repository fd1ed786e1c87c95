// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import Testing

/// Namespaces by URI, paths, and concisely built trees.
@Suite struct XMLTreeTests {
    private static let atom = "http://www.w3.org/2005/Atom"
    private static let xlink = "http://www.w3.org/1999/xlink"

    private let feed = """
        <feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="http://www.w3.org/1999/xlink">
          <title>News</title>
          <entry x:href="a" href="b"><title>One</title><link rel="self"/></entry>
          <a:entry xmlns:a="http://www.w3.org/2005/Atom"><a:title>Two</a:title></a:entry>
          <entry xmlns=""><title>None</title></entry>
          <x:entry xmlns:x="urn:other"/>
          <y:entry/>
          <last/>
        </feed>
        """

    @Test func namespacesAreThoseOfTheURIWhateverThePrefix() throws {
        let feed = try XML(parsing: feed)
        #expect(feed.namespace == Self.atom)
        #expect(feed.elements("entry", in: Self.atom).map(\.name) == ["entry", "a:entry"])
        #expect(feed.elements("entry", in: "urn:other").map(\.name) == ["x:entry"])
        #expect(feed["title", in: Self.atom]?.text == "News")
        #expect(feed["title", in: "urn:other"] == nil)
        #expect(feed.elements[3].namespace == nil)
        #expect(feed.elements[5].namespace == nil)
        // An element's declarations end with it.
        #expect(feed["last", in: Self.atom] != nil)
        let entry = try #require(feed["entry"])
        #expect(entry[attribute: "href", in: Self.xlink] == "a")
        #expect(entry[attribute: "href"] == "b")
        #expect(entry.attributes.map(\.namespace) == [Self.xlink, nil])
    }

    @Test func thePrefixXMLNeedsNoDeclaration() throws {
        let xml = try XML(parsing: "<a xml:lang='de'/>")
        #expect(xml[attribute: "lang", in: "http://www.w3.org/XML/1998/namespace"] == "de")
    }

    @Test(arguments: [
        ("title", ["News"]), ("entry/title", ["One", "None"]), ("*/title", ["One", "None"]),
        ("entry/link/@rel", ["self"]),
        ("a:entry/a:title", ["Two"]), ("entry/@x:href", ["a"]), ("@xmlns", [Self.atom]), ("nothing/title", []),
        ("", []), ("/", []), ("entry//title", []), ("@", []), ("entry/@", []), ("@x/title", []),
    ])
    func pathsLeadToTexts(path: String, texts: [String]) throws {
        #expect(try XML(parsing: feed).texts(at: path) == texts)
        #expect(try XML(parsing: feed).text(at: path) == texts.first)
    }

    @Test func pathsTakeNamespacesOfTheirOwnPrefixes() throws {
        let feed = try XML(parsing: feed)
        let names = ["f": Self.atom, "l": Self.xlink]
        #expect(feed.texts(at: "f:entry/f:title", namespaces: names) == ["One", "Two"])
        #expect(feed.elements(at: "f:*", namespaces: names).count == 4)
        #expect(feed.texts(at: "f:entry/@l:href", namespaces: names) == ["a"])
        #expect(feed.elements(at: "entry/@href").isEmpty)
    }

    @Test func treesAreBuiltAsLists() throws {
        let lines = [("Tea", 2), ("Milk", 1)]
        let isUrgent = true
        let order = XML("order", attributes: ["id": "7"]) {
            if isUrgent { XML("urgent") }
            for (name, count) in lines { XML("line", attributes: ["count": "\(count)"], text: name) }
            XML("note") { "as soon as possible, <please>" }
        }
        #expect(
            order.description == """
                <order id="7"><urgent/><line count="2">Tea</line><line count="1">Milk</line>\
                <note>as soon as possible, &lt;please&gt;</note></order>
                """
        )
        #expect(try XML(parsing: order.encoded()) == order)
    }

    @Test func whatIsBuiltInANamespaceReadsAsWhatIsParsed() throws {
        let built = XML("feed", in: Self.atom) {
            XML("title") { "News" }
            XML("m:group", in: "urn:media") { XML("m:item", attributes: ["m:id": "1"]) }
            XML("plain", in: "") { XML("inner") }
        }
        let parsed = try XML(parsing: built.encoded())
        #expect(parsed == built)
        for feed in [built, parsed] {
            #expect(feed["title", in: Self.atom]?.text == "News")
            let group = try #require(feed["group", in: "urn:media"])
            #expect(group["item", in: "urn:media"]?[attribute: "id", in: "urn:media"] == "1")
        }
    }

    @Test(.timeLimit(.minutes(10))) func manyDeclarationsCostNoMoreThanTheirBytes() throws {
        let declarations = (0..<20_000).map { " xmlns:p\($0)='u'" }.joined()
        let xml = try XML(parsing: "<a\(declarations)>\(String(repeating: "<p0:b q:c='1'/>", count: 50_000))</a>")
        #expect(xml.elements("b", in: "u").count == 50_000)
    }
}
