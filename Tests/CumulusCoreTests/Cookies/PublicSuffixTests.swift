// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import CumulusCore

/// The list of suffixes: its rules, its format, and its authors' test cases if they are available.
@Suite struct PublicSuffixTests {
    @Test(
        "The registered name of a host",
        arguments: [
            ("com", nil), ("example.com", "example.com"), ("a.b.example.com", "example.com"),
            ("co.uk", nil), ("bbc.co.uk", "bbc.co.uk"), ("www.bbc.co.uk", "bbc.co.uk"),
            // A wildcard, and its exception.
            ("ck", nil), ("test.ck", nil), ("b.test.ck", "b.test.ck"), ("www.ck", "www.ck"), ("a.www.ck", "www.ck"),
            ("kobe.jp", "kobe.jp"), ("c.kobe.jp", nil), ("city.kobe.jp", "city.kobe.jp"),
            ("x.city.kobe.jp", "city.kobe.jp"),
            // The second part of the list, with the domains of hosting companies.
            ("github.io", nil), ("ada.github.io", "ada.github.io"),
            // No rule: the last label is the suffix.
            ("intranet", nil), ("host.intranet", "host.intranet"), ("localhost", nil),
            ("xn--fiqs8s", nil), ("shishi.xn--fiqs8s", "shishi.xn--fiqs8s"), ("0.bg", nil), ("zw", nil),
        ] as [(String, String?)]
    )
    func registeredNames(host: String, name: String?) {
        #expect(PublicSuffixes.registeredName(of: host).map(String.init) == name)
        #expect(PublicSuffixes.contains(host) == (name == nil))
    }

    @Test func theRulesAreInTheOrderOfTheirBytesAndEachIsFound() {
        let text = PublicSuffixData.rules.description
        let words = text.split(separator: " ")
        #expect(words.count > 9_000)
        let names = words.map { $0.filter { !"*+!".contains($0) } }
        #expect(zip(names, names.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        for (word, name) in zip(words, names) where word == name {
            #expect(PublicSuffixes.contains(name), "\(name)")
            #expect(PublicSuffixes.registeredName(of: "x.y." + name).map { $0.hasSuffix(name) } == true)
        }
    }

    /// Each line of the list's own tests: a host, and its registered name.
    private static let lines: [(String, String?)] = {
        let folder = ProcessInfo.processInfo.environment["CUMULUS_VECTORS"] ?? "../shared/vectors"
        let file = URL(fileURLWithPath: folder).appendingPathComponent("psl/tests/tests.txt")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 2, !line.hasPrefix("//") else { return nil }
            return (words[0], words[1] == "null" ? nil : words[1])
        }
    }()

    /// A line about no host at all: here a host is never `nil`.
    private static let withoutHost = lines.filter { $0.0 == "null" }
    /// Lines about hosts that begin with a dot: no host does here.
    private static let dotted = lines.filter { $0.0.hasPrefix(".") }
    private static let vectors = lines.filter { $0.0 != "null" && !$0.0.hasPrefix(".") }

    /// The host of a URL, which is how names get here: in lower case and in ASCII.
    private func host(_ name: String) throws -> String { try RequestURL("http://\(name)/").origin.host }

    @Test(.enabled(if: !vectors.isEmpty, "needs the list's own tests"), arguments: vectors)
    func theListsOwnTestsPass(host: String, name: String?) throws {
        let found = PublicSuffixes.registeredName(of: try self.host(host)).map(String.init)
        let expected = try name.map { try self.host($0) }
        #expect(found == expected)
    }

    @Test(
        "of the list's own tests, one has no host, and four have a host that no URL has",
        .enabled(if: !lines.isEmpty, "needs the list's own tests")
    )
    func theOtherLines() {
        #expect(Self.withoutHost.count == 1)
        #expect(Self.dotted.count == 4)
        for (name, _) in Self.dotted { #expect(throws: RequestURL.Malformation.self) { try host(name) } }
        let foreign = Self.vectors.filter { !$0.0.allSatisfy(\.isASCII) }
        #expect(foreign.count == 9 && Self.vectors.count == 73)
    }
}
