// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

/// Settings written as those write them who have not read the documentation.
@Suite(.timeLimit(.minutes(10))) struct GuessedSettingTests {
    @Test func statusesAreARange() async throws {
        let site = Resource("http://a.example", transport: StubTransport { _ in .status(.notFound) }) {
            $0.acceptableStatuses = .range(200...404)
        }
        try await site.get().requireSuccess()
        site.setRules { $0.acceptableStatuses = .range(200..<404) }
        #expect(try await failure { try await site.get().requireSuccess() }.code == .status)
        site.setRules { $0.acceptableStatuses = [.ok, 404] }
        try await site.get().requireSuccess()
        site.setRules { $0.acceptableStatuses.insert(404) }
        try await site.get().requireSuccess()
        #expect(StatusSet(200...299) == .successful)
        #expect(site.acceptableStatuses.contains(404))
    }

    @Test func anErrorIsCaughtByItsCode() async throws {
        struct Refused: Error {}
        let site = Resource("http://a.example", transport: StubTransport { _ in .status(.created) }) {
            $0.validators.append { response in if response.status != .ok { throw Refused() } }
        }
        do {
            _ = try await site.get()
            Issue.record("no error")
        } catch CumulusError.Code.timeout {
            Issue.record("another code")
        } catch CumulusError.Code.validation {}
    }

    @Test func aCoderOfJSONCanBeChangedInPlace() async throws {
        struct Person: Decodable, Sendable { var firstName: String }
        let transport = StubTransport { _ in .json(["first_name": "Ada"]) }
        let site = Resource("http://a.example", transport: transport) {
            $0.coders.json.decoding.keys = .convertFromSnakeCase
        }
        #expect(try await site.get(as: Person.self).firstName == "Ada")
    }

    @Test func aRangeElsewhereIsStillARange() {
        let range = 1...3
        #expect(type(of: range) == ClosedRange<Int>.self)
        #expect((0..<range.count).map { $0 * 2 } == [0, 2, 4])
        #expect(Array("abc".utf8)[0...1].count == 2)
    }

    @Test func tokensAndPasswordsAreTextsOrSecrets() async throws {
        let echo = Echo()
        let (token, password) = ("t0k3n", "p4ss")
        echo.site.setRules { $0.authorizers = [.bearer(token)] }
        _ = try await echo.site.get()
        #expect(echo.transport.lastRequest?.headers["Authorization"] == "Bearer t0k3n")
        echo.site.setRules { $0.authorizers = [.bearer(Secret(token))] }
        _ = try await echo.site.get()
        #expect(echo.transport.lastRequest?.headers["Authorization"] == "Bearer t0k3n")
        echo.site.setRules { $0.authorizers = [.basic(user: "me", password: password)] }
        _ = try await echo.site.get()
        #expect(echo.transport.lastRequest?.headers["Authorization"] == "Basic bWU6cDRzcw==")
        echo.site.setRules {
            $0.authorizers = []
            $0.credentials = Credentials(user: "me", password: password)
        }
        _ = try await echo.site.get()
        #expect(echo.transport.lastRequest?.headers["Authorization"] == "Basic bWU6cDRzcw==")
    }

    @Test func anInterceptorIsAClosure() async throws {
        let echo = Echo()
        echo.site.setRules {
            $0.interceptors.append { request, next in
                let answer = try await next(request)
                return TransportResponse(head: ResponseHead(status: .accepted, headers: [:]), body: answer.body)
            }
        }
        #expect(try await echo.site.get().status == .accepted)
        #expect(try await echo.site["below"].get().status == .accepted)
    }

    @Test func aClockSleepsForATime() async throws {
        let clock = ManualClock()
        let sleeping = Task { try await clock.sleep(for: .seconds(5)) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        try await sleeping.value
        try await SystemClock().sleep(for: .zero)
    }

    @Test func valuesAreMadeOfTextsAndLiterals() async throws {
        let (text, nonsense) = ("text/plain; charset=utf-8", "nonsense")
        #expect(MediaType(text)?.essence == "text/plain" && MediaType(nonsense) == nil)
        #expect(MediaType("text/plain").essence == "text/plain")
        #expect(JSON(["a": 1, "b": [true, nil]]) == ["a": 1, "b": [true, nil]] && JSON([1, 2]) == [1, 2])
        let site = Resource("http://a.example", transport: StubTransport { _ in .text("a,b", type: "text/csv") })
        #expect(try await site.get().headers[.contentType] == "text/csv")
    }
}
