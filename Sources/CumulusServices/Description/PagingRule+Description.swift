// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives

extension PagingRule {
    /// Creates a rule from a description: a word, or an object that has the word as its `rule`, and the
    /// parameters.
    ///
    /// The words are `automatic`, `links`, `hal`, `jsonAPI`, `odata`, `header` (`field`, `query`), `link` (`at`),
    /// `cursor` and `last` (`at`, `query`, `more`), `page` (`query`, `first`, `last`), `offset` (`query`, `total`).
    /// Each may have `items`, the path of the items, and `origins`, other origins of next pages.
    ///
    /// - Throws: ``ServiceProblems`` with all problems.
    public init(_ document: JSON) throws(ServiceProblems) {
        var problems: [ServiceProblem] = []
        guard let rule = PagingRule(document, at: "paging", &problems), problems.isEmpty else {
            throw ServiceProblems(problems: problems)
        }
        self = rule
    }

    /// Parses a rule at a place in a description; `nil` and a problem if it is invalid.
    init?(_ document: JSON, at place: String, _ problems: inout [ServiceProblem]) {
        let object = document.string.map { ["rule": .string($0)] as JSON } ?? document
        var members = DescriptionMembers(object, at: place, &problems)
        guard object.object != nil else { return nil }
        let word = members.take(["rule"], "string", &problems) { $0.string }
        var texts: [String: String] = [:]
        for name in PagingRule.members(of: word) {
            texts[name] = members.take([name], "string", &problems) { $0.string.flatMap { $0.isEmpty ? nil : $0 } }
        }
        let first = word == "page" ? members.take(["first"], "whole number", &problems) { $0.int } : nil
        let items = members.take(["items"], "string", &problems) { $0.string }
        let origins = members.take(["origins"], "list of URLs", &problems) { PagingRule.urls($0) }
        members.noteRest(&problems)
        guard let made = PagingRule.made(word, texts, first: first) else {
            problems.append(ServiceProblem(.invalidValue, at: place, PagingRule.reason(word, texts)))
            return nil
        }
        var rule = made
        if let items { rule = rule.items(at: items) }
        for origin in origins ?? [] { rule = rule.leading(to: origin) }
        self = rule
    }

    private static func urls(_ value: JSON) -> [String]? {
        guard let texts = value.array?.compactMap(\.string), texts.count == value.array?.count else { return nil }
        return texts.allSatisfy { (try? RequestURL($0)) != nil } ? texts : nil
    }

    private static func made(_ word: String?, _ texts: [String: String], first: Int?) -> PagingRule? {
        switch (word, texts["at"], texts["query"]) {
        case ("automatic", _, _): .automatic
        case ("links", _, _): .links
        case ("hal", _, _): .hal
        case ("jsonAPI", _, _): .jsonAPI
        case ("odata", _, _): .odata
        case ("header", _, let query):
            texts["field"].map { field in query.map { .header(field, query: $0) } ?? .header(field) }
        case ("link", let at?, _): .link(at: at)
        case ("cursor", let at?, let query?): .cursor(at: at, query: query, more: texts["more"])
        case ("last", let at?, let query?): .cursor(ofLast: at, query: query, more: texts["more"])
        case ("page", _, let query): .pageNumber(query: query ?? "page", first: first ?? 1, last: texts["last"])
        case ("offset", _, let query): .offset(query: query ?? "offset", total: texts["total"])
        default: nil
        }
    }

    /// The members with text values.
    private static func members(of word: String?) -> [String] {
        switch word {
        case "header": ["field", "query"]
        case "link": ["at"]
        case "cursor", "last": ["at", "query", "more"]
        case "page": ["query", "last"]
        case "offset": ["query", "total"]
        default: []
        }
    }

    private static func reason(_ word: String?, _ texts: [String: String]) -> String {
        let required = ["header": ["field"], "link": ["at"], "cursor": ["at", "query"], "last": ["at", "query"]]
        guard let word, let names = required[word] else {
            let known = "automatic, links, hal, jsonAPI, odata, header, link, cursor, last, page and offset"
            return "the rule \(PeerText.quoted(word ?? "")) is unknown; the rules are \(known)"
        }
        return "the rule \(word) requires \(names.filter { texts[$0] == nil }.joined(separator: " and "))"
    }
}
