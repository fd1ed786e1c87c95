// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

/// How a program identifies itself (in the originals `appName`, `appVersion`, `appWebsite`).
@Suite struct ClientIdentityTests {
    private let echo = Echo()

    private func sent(_ resource: Resource, _ name: String) async throws -> String? {
        try await resource.get().requireSuccess()
        return echo.transport.lastRequest?.headers[name]
    }

    @Test("name, version and contact go into User-Agent, before Cumulus")
    func userAgent() async throws {
        let site = echo.site
        #expect(try await sent(site, "User-Agent") == "Cumulus/0.1")
        site.setRules { $0.client = ClientIdentity(name: "Notes", version: "2.1", contact: "https://notes.example") }
        #expect(try await sent(site["a"], "User-Agent") == "Notes/2.1 (https://notes.example) Cumulus/0.1")
        site.setRules { $0.headers[.userAgent] = "mine" }
        #expect(try await sent(site["a"], "User-Agent") == "mine")
    }

    @Test(
        "characters that are invalid in a product's name do no harm",
        arguments: [
            (ClientIdentity(name: "My App", version: "1 (beta)"), "My-App/1--beta-"),
            (ClientIdentity(name: "", contact: "a(b)\\c\r\nX: y"), "- (a\\(b\\)\\\\cX: y)"),
        ]
    )
    func odd(identity: ClientIdentity, expected: String) {
        #expect(identity.product == expected)
    }

    @Test("a service's own fields are only sent to its origin")
    func fields() async throws {
        let site = echo.site
        let fields = ClientIdentity.Fields(name: "X-Twitter-Client", version: "X-Twitter-Client-Version")
        site.setRules { $0.client = ClientIdentity(name: "Notes", version: "2.1", fields: fields) }
        #expect(try await sent(site, "X-Twitter-Client") == "Notes")
        #expect(try await sent(site, "X-Twitter-Client-Version") == "2.1")
        let away = site.follow("https://b.example/")
        #expect(try await sent(away, "X-Twitter-Client") == nil)
        #expect(try await sent(away, "User-Agent") == "Notes/2.1 Cumulus/0.1")
    }
}
