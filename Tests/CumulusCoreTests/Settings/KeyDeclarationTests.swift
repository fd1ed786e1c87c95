// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

private enum HomeKey: SettingKey {
    static var defaultValue: String { "none" }
}

private enum TravellingKey: SettingKey {
    static var defaultValue: String { "none" }
    static var crossesOrigins: Bool { true }
}

private enum MarkKey: UncomparedSettingKey {
    static var defaultValue: Int { 0 }
}

extension Resource.Settings {
    fileprivate var home: String {
        get { self[key: HomeKey.self] }
        set { self[key: HomeKey.self] = newValue }
    }
    fileprivate var travelling: String {
        get { self[key: TravellingKey.self] }
        set { self[key: TravellingKey.self] = newValue }
    }
    fileprivate var mark: Int {
        get { self[key: MarkKey.self] }
        set { self[key: MarkKey.self] = newValue }
    }
}

/// Properties that a key declares itself, without a list in the library: origins, waiting, joining.
@Suite(.timeLimit(.minutes(10))) struct KeyDeclarationTests {
    /// Records the task that it runs in.
    private final class TaskNotes: Authorizer {
        let mayWait: Bool
        private let tasks = Mutex<[Int]>([])

        init(mayWait: Bool) { self.mayWait = mayWait }

        var all: [Int] { tasks.withLock(\.self) }

        func authorize(_ request: inout EncodedRequest) async throws { note() }

        private func note() { tasks.withLock { $0.append(withUnsafeCurrentTask { $0?.hashValue ?? 0 }) } }
    }

    /// A transport whose exchanges can be cancelled without a task.
    private func site() -> Resource {
        var capabilities = TransportCapabilities()
        capabilities.attachesExchanges = true
        return Resource(
            "https://a.example",
            transport: StubTransport(capabilities: capabilities) { _ in .text("ok") }.watched
        )
    }

    @Test func aSettingOfOnesOwnStaysAtItsOriginUnlessItsKeySaysOtherwise() {
        let site = site()
        site.setRules {
            $0.home = "here"
            $0.travelling = "everywhere"
        }
        let (near, far) = (site.follow("/x"), site.follow("https://b.example/x"))
        #expect((near.home, near.travelling) == ("here", "everywhere"))
        #expect((far.home, far.travelling) == ("none", "everywhere"))
        #expect(far.explain(\.home).contributions.isEmpty)
        #expect(far.explain(\.travelling).contributions.count == 1)
    }

    @Test func whatCouldCarrySecretsStaysAtItsOrigin() {
        let site = site()
        site.setRules {
            $0.headers["X-Api-Key"] = "k"
            $0.headers[.acceptLanguage] = "de"
            $0.query["token"] = "t"
            $0.credentials = Credentials(user: "u", password: "p")
            $0.preflights = [{ _ in }]
            $0.interceptors = [{ try await $1($0) }]
            $0.conditions = Conditions(ifMatch: "\"secret\"")
            $0.timeout = .seconds(7)
        }
        let far = site.follow("https://b.example/x")
        #expect(far.headers["X-Api-Key"] == nil)
        #expect(far.headers[.acceptLanguage] == "de")
        #expect(far.query.isEmpty && far.authorizers.isEmpty && far.preflights.isEmpty && far.interceptors.isEmpty)
        #expect(far.conditions == .none)
        #expect(far.timeout == .seconds(7))
    }

    @Test("an authorizer that declares that it never waits costs no task", arguments: [true, false])
    func tasks(mayWait: Bool) async throws {
        let authorizer = TaskNotes(mayWait: mayWait)
        let site = site()
        site.setRules { $0.authorizers = [.custom(authorizer)] }
        let own = withUnsafeCurrentTask { $0?.hashValue ?? 0 }
        try await site.get().requireSuccess()
        #expect(authorizer.all.count == 1)
        #expect(authorizer.all.contains(own) != mayWait)
    }

    @Test func callsThatDifferInASettingJoinOnlyWhereItsKeySaysThatTheyMay() async throws {
        for (edit, exchanges) in [
            ({ @Sendable (settings: inout Resource.Settings) in settings.mark = 1 }, 1),
            ({ @Sendable (settings: inout Resource.Settings) in settings.travelling = "x" }, 2),
        ] {
            let gate = Gate()
            let transport = StubTransport { _ in
                try await gate.wait()
                return .text("ok")
            }
            let site = Resource("https://a.example", transport: transport.watched)
            let (one, two) = (site["x"], site["x"].with(edit))
            let calls = [one, two].map { place in Task { try await place.keyed(.joining("me")).get().text } }
            try await eventually { site.tree.context.joins.waiterCount == 2 }
            gate.open()
            for call in calls { #expect(try await call.value == "ok") }
            #expect(transport.requests.count == exchanges)
        }
    }
}
