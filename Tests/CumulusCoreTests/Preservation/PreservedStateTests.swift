// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Headers and query that outlive the program.
@Suite struct PreservedStateTests {
    private let echo = Echo()
    private var site: Resource { echo.site }

    private func set(_ site: Resource) {
        site.setRules {
            $0.headers["X-App"] = "Atlas"
            $0.headers[.authorization] = "Bearer hunter2"
            $0.headers.add("1", for: "X-List")
            $0.headers.add("2", for: "X-List")
            $0.headers[.acceptLanguage] = nil
            $0.query["lang"] = "en"
            $0.query["api_key"] = "hunter2"
            $0.query["tags"] = ["a", "b"]
            $0.query["filter"] = ["a": 1] as Query
        }
    }

    private func sent(_ site: Resource, _ transport: StubTransport) async throws -> (target: String, fields: HTTPFields)
    {
        try await site["x"].get().requireSuccess()
        let request = try #require(transport.lastRequest)
        return (request.request.target, request.headers)
    }

    // MARK: Preserved header, query, archive

    @Test func aHeaderIsRestoredForEachRequest() async throws {
        set(site)
        let state = try PreservedState(archived: site.preservedState().archived())
        let other = Echo()
        other.site.restore(state)
        let fields = try await sent(other.site, other.transport).fields
        #expect(fields["X-App"] == "Atlas")
        #expect(fields["X-List"] == "1, 2")
    }

    @Test func aQueryIsRestoredForEachRequest() async throws {
        set(site)
        let state = try PreservedState(archived: site.preservedState(includingSecrets: true).archived())
        let other = Echo()
        other.site.restore(state)
        let target = try await sent(other.site, other.transport).target
        #expect(target == (try await sent(site, echo.transport)).target)
        #expect(target.contains("tags%5B%5D=a") && target.contains("filter%5Ba%5D=1"))
    }

    @Test func anArchiveIsReadAgainAsItWas() throws {
        set(site)
        let root = Resource("https://a.example/?flag&a=b+c", transport: echo.transport.watched)
        for state in [
            site.preservedState(), site.preservedState(includingSecrets: true), root.preservedState(),
            PreservedState(), PreservedState(headers: [:]), PreservedState(query: [:]),
        ] {
            #expect(try PreservedState(archived: state.archived()) == state)
            let coded = try JSONDecoder().decode(PreservedState.self, from: JSONEncoder().encode(state))
            #expect(coded == state)
        }
        let flag = try PreservedState(archived: root.preservedState().archived())
        root.restore(flag)
        #expect(root.queryString == "flag&a=b+c")
    }

    // MARK: Secrets

    @Test("secrets are preserved only on request")
    func secretsArePreservedOnlyOnRequest() {
        set(site)
        let (plain, whole) = (site.preservedState(), site.preservedState(includingSecrets: true))
        #expect(!String(decoding: plain.archived(), as: UTF8.self).contains("hunter2"))
        #expect(plain.headers?.names == ["X-App", "X-List"])
        #expect(plain.query?.names == ["lang", "tags", "filter"])
        #expect(whole.headers?[.authorization] == "Bearer hunter2")
        #expect(whole.query?["api_key"]?.queryValue == .text("hunter2"))
        #expect(!"\(whole)".contains("hunter2"))
    }

    @Test func withoutSecretsTheResourcesOwnStay() throws {
        set(site)
        let state = PreservedState(headers: ["X-New": "1"], query: ["new": 1])
        site.restore(state)
        #expect(site.headers.names == ["Authorization", "X-New"])
        #expect(site.query.names == ["api_key", "new"])
        site.restore(PreservedState(headers: [:], query: [:], includesSecrets: true))
        #expect(site.headers.isEmpty)
        #expect(site.query.isEmpty)
    }

    // MARK: Sections

    @Test func onlyPresentSectionsAreReplaced() {
        set(site)
        site.restore(PreservedState(headers: ["X-New": "1"], includesSecrets: true))
        #expect(site.headers.names == ["X-New"])
        #expect(site.query.names == ["lang", "api_key", "tags", "filter"])
        site.restore(PreservedState(query: [:], includesSecrets: true))
        #expect(site.headers.names == ["X-New"])
        #expect(site.query.isEmpty)
    }

    @Test func whatIsInheritedIsNotPreserved() {
        site.setRules { $0.headers["X-App"] = "Atlas" }
        let child = site["a"]
        child.setRules { $0.headers["X-Child"] = "1" }
        let state = child.preservedState()
        #expect(state.headers?.names == ["X-Child"])
        child.restore(state)
        site.setRules { $0.headers["X-App"] = "Other" }
        #expect(child.headers["X-App"] == "Other")
    }

    @Test func masksAreKept() throws {
        set(site)
        let child = site["a"]
        child.setRules {
            $0.headers["X-App"] = nil
            $0.query["lang"] = nil
        }
        let state = try PreservedState(archived: child.preservedState().archived())
        child.setRules { $0.inherit(\.headers) }
        child.setRules { $0.inherit(\.query) }
        child.restore(state)
        #expect(child.headers["X-App"] == nil)
        #expect(child.queryString?.contains("lang") == false)
    }

    // MARK: Archives of others

    @Test(
        arguments: [
            "", "[]", "null", "{}", "{\"version\":2}", "{\"version\":1,\"headers\":{}}",
            "{\"version\":1,\"headers\":[1]}",
            "{\"version\":1,\"headers\":[{\"name\":\"a\",\"values\":[1]}]}",
            "{\"version\":1,\"headers\":[{\"name\":\"a\",\"values\":\"b\"}]}",
            "{\"version\":1,\"headers\":[{\"name\":\"a b\",\"values\":[\"c\"]}]}",
            "{\"version\":1,\"headers\":[{\"name\":\"a\",\"values\":[\"c\\nd\"]}]}", "{\"version\":1,\"query\":1}",
            "{\"version\":1,\"query\":[{}]}", "{\"version\":1,\"query\":[{\"name\":\"a\",\"value\":1}]}",
            "{\"version\":1,\"query\":[{\"name\":\"a\",\"value\":{\"x\":1}}]}", "<plist>", "<", "bplist00", "\u{0}",
            "<?xml version=\"1.0\"?><plist version=\"1.0\"><array/></plist>",
        ]
    ) func corruptBytesAreATypedError(text: String) {
        #expect(throws: PreservedStateProblem.self) { try PreservedState(archived: Array(text.utf8)) }
    }

    @Test func nestingIsBounded() {
        let json = "{\"version\":1,\"query\":" + String(repeating: "[", count: 100_000)
        #expect(throws: PreservedStateProblem.self) { try PreservedState(archived: Array(json.utf8)) }
    }

    @Test func aPropertyListIsForCumulusFormats() {
        for text in ["<plist version='1.0'><dict/></plist>", "bplist00"] {
            let error = #expect(throws: PreservedStateProblem.self) { try PreservedState(archived: Array(text.utf8)) }
            #expect(error?.description.contains("PreservedState(propertyList:)") == true)
        }
    }
}
