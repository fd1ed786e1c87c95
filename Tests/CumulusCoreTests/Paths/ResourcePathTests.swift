// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import TestSupport
import Testing

/// The result of a child's path: encoded, split, or refused, for each way of giving it.
@Suite struct ResourcePathTests {
    private let site = Resource("https://api.example.com/v1", transport: StubTransport { _ in .text("ok") }.watched)

    // MARK: The originals' path cases

    @Test func joinsAString() { #expect(site["posts"].urlString == "https://api.example.com/v1/posts") }

    @Test func joinsANumber() { #expect(site[42].urlString == "https://api.example.com/v1/42") }

    @Test(arguments: [UInt8(7), 255]) func joinsAnyInteger(number: UInt8) {
        #expect(site[number].urlString == "https://api.example.com/v1/\(number)")
    }

    @Test func dropsALeadingSlash() { #expect(site["/posts"].urlString == "https://api.example.com/v1/posts") }

    @Test func dropsSeveralSlashes() { #expect(site["///posts///"].urlString == "https://api.example.com/v1/posts") }

    @Test func dropsDoubledSlashesInside() { #expect(site["a//b"].urlString == "https://api.example.com/v1/a/b") }

    @Test func dividesAtSlashes() {
        #expect(site["users/1/posts"].urlString == "https://api.example.com/v1/users/1/posts")
    }

    @Test func joinsToABaseThatEndsInASlash() {
        let site = Resource("https://api.example.com/v1/", transport: StubTransport { _ in .text("ok") }.watched)
        #expect(site["posts"].urlString == "https://api.example.com/v1/posts")
        #expect(site.urlString == "https://api.example.com/v1/")
    }

    @Test func joinsToABareHost() {
        let site = Resource("https://api.example.com", transport: StubTransport { _ in .text("ok") }.watched)
        #expect(site["posts"].urlString == "https://api.example.com/posts")
        #expect(site.urlString == "https://api.example.com/")
    }

    @Test func childrenHaveChildrenAdInfinitum() {
        var resource = site
        for level in 0..<50 { resource = resource[level] }
        #expect(resource.urlString?.hasSuffix("/47/48/49") == true)
    }

    @Test func aChildKnowsItsParentAndRelativePath() {
        let child = site["users/7"]
        #expect(child.parent?.urlString == site.urlString)
        #expect(child.relativePath == "users/7")
        #expect(site.parent == nil)
    }

    @Test func aChildKeepsItsParentAlive() {
        let child = Resource("https://a.example", transport: StubTransport { _ in .text("ok") }.watched)["a"]["b"]
        #expect(child.parent?.parent?.urlString == "https://a.example/")
    }

    @Test func climbingIsRefusedWithAHint() async {
        await #expect(throws: CumulusError.self) { _ = try await site["/../child"].get() }
        do {
            _ = try await site["/../child"].get()
        } catch {
            #expect((error as? CumulusError)?.code == .invalidPath)
            #expect("\(error)".contains("resource.parent"))
        }
    }

    @Test func formatsTakeValues() {
        #expect(site.child(format: "users/%@", 123).urlString == "https://api.example.com/v1/users/123")
        #expect(
            site.child(format: "posts/%@/%ld%%", "today", 5).urlString == "https://api.example.com/v1/posts/today/5%25"
        )
        #expect(site.child(format: "files/%@", "a/b?c").urlString == "https://api.example.com/v1/files/a%2Fb%3Fc")
    }

    @Test(arguments: ["a/%@/%@", "a", "%y"]) func formatsThatDoNotFitAreRefused(format: String) {
        #expect(site.child(format: format, 1).urlString == nil)
    }

    @Test func aQuestionMarkInALiteralStartsTheQuery() {
        #expect(site["posts?sort=new&x=%20y"].urlString == "https://api.example.com/v1/posts?sort=new&x=%20y")
        #expect(site["posts?sort=new"]["1"].urlString == "https://api.example.com/v1/posts/1?sort=new")
    }

    @Test func aValueInALiteralsQueryIsEncoded() {
        let tag = "a&b=c#d"
        #expect(site["posts?tag=\(tag)"].urlString == "https://api.example.com/v1/posts?tag=a%26b%3Dc%23d")
    }

    @Test func nonASCIITextIsEncodedAsUTF8() {
        #expect(site["Grüße"].urlString == "https://api.example.com/v1/Gr%C3%BC%C3%9Fe")
        #expect(site[segment: "日本"].urlString == "https://api.example.com/v1/%E6%97%A5%E6%9C%AC")
    }

    @Test func severalSegmentsCanBeInterpolatedOnPurpose() {
        let path = "a/b c"
        #expect(site["x/\(path: path)/y"].urlString == "https://api.example.com/v1/x/a/b%20c/y")
    }

    // MARK: Nothing leaves its segment, its base or its origin

    @Test("A literal chooses the literal subscript")
    func aLiteralIsAResourcePath() {
        // With an overload for `String`, a literal would prefer it, and `?` and `/` would be data.
        #expect(site["a/b?c=d"].urlString == "https://api.example.com/v1/a/b?c=d")
        let interpolated = "x/y"
        #expect(site["a/\(interpolated)"].urlString == "https://api.example.com/v1/a/x%2Fy")
    }

    static let hostile: [(text: String, literal: String?, path: String?, segment: String?)] = [
        ("//evil.com/x", "evil.com/x", "evil.com/x", "%2F%2Fevil.com%2Fx"),
        ("https://evil/", nil, nil, "https%3A%2F%2Fevil%2F"),
        ("http:evil", nil, nil, "http%3Aevil"),
        ("\\\\evil", nil, nil, "%5C%5Cevil"),
        ("/\\evil", nil, nil, "%2F%5Cevil"),
        ("..", nil, nil, nil),
        (".", nil, nil, nil),
        ("a/../b", nil, nil, "a%2F..%2Fb"),
        ("%2e%2e", nil, "%252e%252e", "%252e%252e"),
        (".%2e", nil, ".%252e", ".%252e"),
        ("%2f..%2f", "%2f..%2f", "%252f..%252f", "%252f..%252f"),
        ("a/b", "a/b", "a/b", "a%2Fb"),
        ("a?b", "a?b", "a%3Fb", "a%3Fb"),
        ("a#b", nil, nil, "a%23b"),
        ("a\0b", nil, nil, "a%00b"),
        ("a%00b", nil, "a%2500b", "a%2500b"),
        ("a\r\nb", nil, "a%0D%0Ab", "a%0D%0Ab"),
        ("\t//evil", nil, "%09/evil", "%09%2F%2Fevil"),
        ("a b", "a%20b", "a%20b", "a%20b"),
        ("a;b=c,d", "a;b=c,d", "a%3Bb%3Dc%2Cd", "a%3Bb%3Dc%2Cd"),
        ("v1:search", "v1:search", "v1%3Asearch", "v1%3Asearch"),
    ]

    private func below(_ path: String?) -> String? { path.map { "https://api.example.com/v1/\($0)" } }

    @Test("hostile text as a literal", arguments: hostile)
    func asALiteral(text: String, literal: String?, path: String?, segment: String?) {
        #expect(site[ResourcePath(stringLiteral: text)].urlString == below(literal))
    }

    @Test("hostile text as path:", arguments: hostile)
    func asAPath(text: String, literal: String?, path: String?, segment: String?) {
        #expect(site[path: text].urlString == below(path))
    }

    @Test("hostile text as segment:", arguments: hostile)
    func asASegment(text: String, literal: String?, path: String?, segment: String?) {
        #expect(site[segment: text].urlString == below(segment))
    }

    @Test("hostile text as an interpolated value", arguments: hostile)
    func asAValue(text: String, literal: String?, path: String?, segment: String?) {
        #expect(site["\(text)"].urlString == below(segment))
        let escaped = segment ?? text
        #expect(site["x-\(text)"].urlString == below("x-\(escaped)"))
    }

    @Test("dots from two pieces are checked together")
    func dotsOfTwoPieces() {
        let dot = "."
        #expect(site["a/.\(dot)/b"].urlString == nil)
        #expect(site["\(dot)\(dot)"].urlString == nil)
        #expect(site["a/\(dot)x"].urlString == below("a/.x"))
    }

    @Test func anEmptyValueIsRefusedSinceItWouldVanish() async {
        let name = ""
        #expect(site["users/\(name)/repos"].urlString == nil)
        #expect(site[segment: name].urlString == nil)
        do {
            _ = try await site["users/\(name)/repos"].get()
            Issue.record("an empty segment was sent")
        } catch {
            #expect("\(error)".contains("empty value"))
        }
    }

    @Test func childrenOfARefusedPathStayRefused() async {
        let lost = site[".."]["a"][1]
        #expect(lost.urlString == nil)
        await #expect(throws: CumulusError.self) { _ = try await lost.get() }
    }

    @Test("no child changes the origin, whatever it is made from")
    func noChildChangesTheOrigin() {
        for hostile in Self.hostile {
            let literal = site[ResourcePath(stringLiteral: hostile.text)]
            for child in [literal, site[path: hostile.text], site[segment: hostile.text]] {
                if let url = child.urlString { #expect(url.hasPrefix("https://api.example.com/v1/")) }
            }
        }
    }

    // MARK: Trailing slashes

    @Test func aTrailingSlashIsRemovedKeptOrAdded() {
        let posts = site["posts/"]
        #expect(posts.urlString == below("posts"))
        posts.setRules { $0.trailingSlash = .kept }
        #expect(posts.urlString == below("posts/"))
        site.setRules { $0.trailingSlash = .added }
        #expect(site["notes"].urlString == below("notes/"))
    }

    @Test func severalSegmentsInAQueryAreData() {
        #expect(site["posts?dir=\(path: "/admin")"].urlString == "https://api.example.com/v1/posts?dir=%2Fadmin")
    }
}
