// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import TestSupport
import Testing

/// Templates as children: values stay in their place, and none leads to another origin.
@Suite struct ResourceTemplateTests {
    private let site = Resource("https://api.example.com/v1?key=k", transport: StubTransport { _ in .text("") }.watched)

    private func url(_ template: URITemplate, _ values: URITemplate.Values = [:]) -> String? {
        site.child(template: template, values).urlString
    }

    @Test func aTemplateIsAPathWithItsQuery() {
        #expect(
            url("users/{login}/repos{?page}", ["login": "a b", "page": 2])
                == "https://api.example.com/v1/users/a%20b/repos?key=k&page=2"
        )
        #expect(url("/users/{login}", ["login": "x"]) == "https://api.example.com/v1/users/x?key=k")
        #expect(
            url("search?type=user{&q}", ["q": "a&b"]) == "https://api.example.com/v1/search?key=k&type=user&q=a%26b"
        )
        #expect(url("files{/path*}", ["path": ["a", "b/c"]]) == "https://api.example.com/v1/files/a/b%2Fc?key=k")
        #expect(url("files/{+path}", ["path": "a/b c"]) == "https://api.example.com/v1/files/a/b%20c?key=k")
        #expect(url("show/{id}.json", ["id": 5]) == "https://api.example.com/v1/show/5.json?key=k")
        #expect(url("show{/id}", ["id": nil]) == "https://api.example.com/v1/show?key=k")
    }

    @Test(
        "a value that could leave its place is refused",
        arguments: [
            ("users/{id}", ""), ("users/{id}", ".."), ("users/{id}", "."), ("users{/id}", ".."), ("users{/id}", ""),
            ("{id}", "."), ("{+id}", "../admin"), ("{+id}", "a/../../b"), ("{+id}", "%2e%2E/x"),
            ("{+id}", "a%2F..%2Fb"),
            ("{+id}", "https://evil.example/x"), ("{+id}", "http:evil"), ("{+id}", "a?b=c"), ("{+id}", "a#b"),
            ("{+id}", "a\\b"), ("{+id}", "a\u{0}b"), ("{+id}", ""), ("{#id}", "x"), ("x{.id}/{.id}", "."),
        ] as [(URITemplate, String)]
    )
    func whatCouldLeaveItsPlaceIsRefused(template: URITemplate, value: String) async throws {
        let child = site.child(template: template, ["id": value])
        #expect(child.urlString == nil, "\(template) \(value)")
        await #expect {
            _ = try await child.get()
        } throws: { error in
            (error as? CumulusError)?.code == .invalidPath
        }
    }

    @Test func aMissingIDNamesNoOtherPlace() {
        #expect(url("users/{id}") == nil)
        #expect(url("users/{id}/posts") == nil)
    }

    @Test(arguments: ["//evil.example/x", "/\\evil", "https://evil.example", "@evil.example", ":80", "x:y@z"])
    func noValueChangesTheOrigin(value: String) {
        for template: URITemplate in ["{id}", "{+id}", "{/id}", "{;id}", "{.id}", "x{?id}", "a/{+id}"] {
            let child = site.child(template: template, ["id": value])
            if let url = child.urlString { #expect(url.hasPrefix("https://api.example.com/v1/"), "\(template) \(url)") }
        }
    }

    @Test func aValueAddsNoSegmentAndNoQueryItem() {
        #expect(url("users/{id}", ["id": "a/b?c#d&e"]) == "https://api.example.com/v1/users/a%2Fb%3Fc%23d%26e?key=k")
        #expect(url("x{?id}", ["id": "a&key=evil#f"]) == "https://api.example.com/v1/x?key=k&id=a%26key%3Devil%23f")
    }

    @Test func aBadTemplateIsToldWhenItIsUsed() async {
        let child = site.child(template: "users/{login")
        await #expect {
            _ = try await child.get()
        } throws: { error in
            let error = error as? CumulusError
            return error?.code == .invalidPath && error?.message.contains("byte 6") == true
        }
    }
}
