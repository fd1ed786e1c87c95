// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// A setting whose own code reads a resource; of another tree, since its own is waiting for it.
enum CuriousKey: SettingKey {
    @TaskLocal static var resource: Resource?
    static var defaultValue: Int { 0 }
    static func combine(inherited: Int, own: Int) -> Int {
        own + (resource?.timeout == nil ? 1 : 0)
    }
}

extension Resource.Settings {
    var curious: Int {
        get { self[key: CuriousKey.self] }
        set { self[key: CuriousKey.self] = newValue }
    }
}

/// A value read from one place can be written to another, and user code never runs under a lock.
@Suite struct ViewTests {
    private let echo = Echo()
    private var site: Resource { echo.site }

    @Test func settingsReadFromOneResourceCanBeAssignedToAnother() {
        let first = site["a"]
        first.setRules {
            $0.headers["X-A"] = "1"
            $0.query["q"] = 1
            $0.authorizers.append(.bearer("t"))
        }
        let other = Resource("https://api.example.com", transport: echo.transport.watched) {
            $0.headers = first.headers
            $0.query = first.query
            $0.authorizers = first.authorizers
        }
        #expect(other.headers["X-A"] == "1")
        #expect(other.queryString == "q=1")
        #expect(other.authorizers.count == 1)
        let copied = site["b"].with { $0.headers = first.headers }
        #expect(copied.headers["X-A"] == "1")
    }

    @Test func writingAViewBackChangesNothingElse() {
        let child = site["a"]
        child.setRules { $0.headers["X-A"] = "1" }
        site.setRules { $0.headers["X-B"] = "2" }
        child.setRules { $0.headers = $0.headers }
        site.setRules { $0.headers["X-B"] = "3" }
        #expect(child.headers["X-B"] == "3")
    }

    @Test func equalityIsOfNamesAndValues() {
        site.setRules {
            $0.headers = ["X-A": "1"]
            $0.query = ["q": 1]
        }
        #expect(site.headers == ["X-A": "1"])
        #expect(site.query == ["q": 1])
        #expect(Query(parsing: "q=1") == ["q": "1"])
        #expect(Query(parsing: "q=1") != ["q": "2"])
    }

    @Test func aSettingsOwnCodeMayReadAnotherTree() {
        let site = site
        let other = Resource("https://b.example", transport: echo.transport.watched) { $0.timeout = nil }
        CuriousKey.$resource.withValue(other) {
            site.setRules { $0.curious = 5 }
            #expect(site.curious == 6)
        }
    }

    @Test func nilCredentialsMaskInheritedOnes() async throws {
        site.setRules {
            $0.credentials = Credentials(user: "u", password: "p")
            $0.authorizers.append(.bearer("t"))
        }
        let open = site["public"]
        open.setRules { $0.credentials = nil }
        #expect(open.credentials == nil)
        try await open.get().requireSuccess()
        #expect(echo.transport.lastRequest?.headers[.authorization] == "Bearer t")
        open.setRules { $0.inherit(\.authorizers) }
        #expect(open.credentials?.user == "u")
    }

    @Test func namesAndValuesCanBeEnumerated() {
        let query: Query = ["a": 1, "b": ["x", "y"], "a": 2]
        #expect(query.names == ["a", "b", "a"])
        #expect(query.values(of: "a").compactMap(\.string) == ["1", "2"])
        #expect((["X-A": "1", "X-B": nil] as Headers).names == ["X-A"])
    }
}
