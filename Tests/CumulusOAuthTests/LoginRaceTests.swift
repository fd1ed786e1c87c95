// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusOAuth

/// Logins and logouts while tokens are requested.
@Suite(.timeLimit(.minutes(10))) struct LoginRaceTests {
    /// A store that waits before it is emptied.
    private struct SlowStore: TokenStore {
        let store: MemoryTokenStore
        let gate: Gate

        func token() async throws -> OAuth2Token? { store.token() }

        func keep(_ token: OAuth2Token?) async throws {
            if token == nil { try await gate.wait() }
            store.keep(token)
        }
    }

    private final class Shown: Sendable {
        private let times = Mutex(0)
        func add() { times.withLock { $0 += 1 } }
        var count: Int { times.withLock(\.self) }
    }

    private func device(_ bench: OAuth2Bench, _ store: MemoryTokenStore) -> (OAuth2Authorizer, Shown) {
        let shown = Shown()
        let authorizer = bench.authorizer(.deviceCode(client: "cli") { _ in shown.add() }, store: store)
        bench.site.setRules { $0.authorizers.append(authorizer) }
        return (authorizer, shown)
    }

    /// Approves the code that is shown, and lets the device ask.
    private func approve(_ bench: OAuth2Bench) async throws {
        try await eventually { bench.clock.timeToNextSleeper == .seconds(5) }
        bench.service.decide(true)
        bench.clock.advance(by: .seconds(5))
    }

    @Test func aLoginDuringARenewalSignsInAnew() async throws {
        let bench = OAuth2Bench()
        let authorizer = bench.authorizer(OAuth2Bench.password)
        bench.site.setRules { $0.authorizers.append(authorizer) }
        try await bench.site.get().requireSuccess()
        bench.service.expireAccessTokens()
        let gate = Gate()
        bench.brake.current = gate
        let call = Task { [site = bench.site] in try await site.get().text }
        try await eventually { gate.waiterCount == 1 && authorizer.waiterCount == 1 }
        let login = Task { [site = bench.site] in try await authorizer.logIn(for: site) }
        try await eventually { authorizer.waiterCount == 2 }
        bench.brake.current = nil
        gate.open()
        #expect(try await call.value != nil)
        try await login.value
        #expect(bench.service.count(of: "password") == 2)
        #expect(try await bench.site.get().text == "Bearer access-3")
    }

    @Test("A login waits for a renewal, even one that fails, and then begins")
    func loginsQueue() throws {
        var state = TokenState(asksPerson: true)
        let now = ManualClock().now
        guard case .begin(let renewal, .need, _) = state.step(for: .token, at: now) else {
            Issue.record("no renewal")
            return
        }
        guard case .queue(let first) = state.step(for: .login, at: now) else {
            Issue.record("joined")
            return
        }
        #expect(first === renewal)
        state.end(renewal, .failure(OAuth2Error(.ended, "")), at: now)
        guard case .begin(let login, .login, _) = state.step(for: .login, at: now) else {
            Issue.record("no login")
            return
        }
        guard case .wait(let second, _) = state.step(for: .login, at: now) else {
            Issue.record("not joined")
            return
        }
        #expect(second === login)
    }

    @Test(
        "A login ends when nobody waits for it any more, and the next one shows a new code",
        arguments: [true, false]
    )
    func cancelledLogins(isRequest: Bool) async throws {
        let (bench, store) = (OAuth2Bench(), MemoryTokenStore())
        let (authorizer, shown) = device(bench, store)
        let first = Task { [site = bench.site] in
            if isRequest { _ = try await site.get() } else { try await authorizer.logIn(for: site) }
        }
        try await eventually { shown.count == 1 && bench.clock.timeToNextSleeper != nil }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { [site = bench.site] in try await authorizer.logIn(for: site) }
        try await eventually { shown.count == 2 }
        try await approve(bench)
        try await second.value
        try await bench.site.get().requireSuccess()
        #expect(shown.count == 2 && bench.service.count(of: "device_code") == 1)
    }

    @Test func logInsAndRequestsShareALogin() async throws {
        let (bench, store) = (OAuth2Bench(), MemoryTokenStore())
        let (authorizer, shown) = device(bench, store)
        let logins = (0..<3).map { _ in Task { [site = bench.site] in try await authorizer.logIn(for: site) } }
        let calls = (0..<20).map { _ in Task { [site = bench.site] in try await site.get().status.code } }
        try await eventually { authorizer.waiterCount == 23 }
        logins[0].cancel()
        calls[0].cancel()
        try await approve(bench)
        for login in logins.dropFirst() { try await login.value }
        for call in calls.dropFirst() { #expect(try await call.value == 200) }
        #expect(shown.count == 1)
    }

    @Test func aRequestDuringALogoutFindsNoToken() async throws {
        let (bench, store, gate) = (OAuth2Bench(), MemoryTokenStore(), Gate())
        let first = Resource("https://api.example.com", transport: bench.transport.watched) {
            $0.authorizers.append(bench.authorizer(OAuth2Bench.password, store: store))
        }
        try await first.get().requireSuccess()
        let authorizer = bench.authorizer(.stored(client: "cli"), store: SlowStore(store: store, gate: gate))
        bench.site.setRules { $0.authorizers.append(authorizer) }
        try await bench.site.get().requireSuccess()
        let logout = Task { [site = bench.site] in try await authorizer.logOut(for: site) }
        try await eventually { gate.waiterCount == 1 }
        let during = try await failure { try await bench.site.get() }
        #expect((during.cause as? OAuth2Error)?.code == .ended)
        gate.open()
        try await logout.value
        let after = try await failure { try await bench.site.get() }
        #expect((after.cause as? OAuth2Error)?.code == .ended)
        #expect(store.token() == nil && bench.service.revocations == 1)
    }

    @Test func aRenewalThatEndsAfterALogoutStoresNothing() async throws {
        let (bench, store) = (OAuth2Bench(), MemoryTokenStore())
        let authorizer = bench.authorizer(OAuth2Bench.password, store: store)
        bench.site.setRules { $0.authorizers.append(authorizer) }
        try await bench.site.get().requireSuccess()
        bench.service.expireAccessTokens()
        let gate = Gate()
        bench.brake.current = gate
        let call = Task { [site = bench.site] in try await site.get() }
        try await eventually { gate.waiterCount == 1 && authorizer.waiterCount == 1 }
        let logout = Task { [site = bench.site] in try await authorizer.logOut(for: site) }
        try await eventually { authorizer.waiterCount == 2 }
        // A cancelled logout doesn't wait for the renewal.
        logout.cancel()
        _ = await logout.result
        #expect(store.token() == nil)
        bench.brake.current = nil
        gate.open()
        let error = try await failure { try await call.value }
        #expect((error.cause as? OAuth2Error)?.code == .ended)
        #expect(store.token() == nil && bench.service.revocations == 1 && !bench.service.accepts("Bearer access-2"))
    }

    @Test func aLogoutEndsALoginInProgress() async throws {
        let (bench, store) = (OAuth2Bench(), MemoryTokenStore())
        let (authorizer, shown) = device(bench, store)
        let login = Task { [site = bench.site] in try await authorizer.logIn(for: site) }
        try await eventually { shown.count == 1 && bench.clock.timeToNextSleeper == .seconds(5) }
        try await authorizer.logOut(for: bench.site)
        try await approve(bench)
        let error = await #expect(throws: OAuth2Error.self) { try await login.value }
        #expect(error?.code == .ended && store.token() == nil)
        #expect(bench.service.revocations == 1)
    }

    @Test("A token that can't be removed from the store isn't used after a logout")
    func aStoreThatCannotBeEmptied() async throws {
        struct Stuck: Error {}
        struct StuckStore: TokenStore {
            let store: MemoryTokenStore
            func token() async throws -> OAuth2Token? { store.token() }
            func keep(_ token: OAuth2Token?) async throws { throw Stuck() }
        }
        let (bench, store) = (OAuth2Bench(), MemoryTokenStore())
        let first = Resource("https://api.example.com", transport: bench.transport.watched) {
            $0.authorizers.append(bench.authorizer(OAuth2Bench.password, store: store))
        }
        try await first.get().requireSuccess()
        let authorizer = bench.authorizer(.stored(client: "cli"), store: StuckStore(store: store))
        bench.site.setRules { $0.authorizers.append(authorizer) }
        try await bench.site.get().requireSuccess()
        await #expect(throws: Stuck.self) { try await authorizer.logOut(for: bench.site) }
        let error = try await failure { try await bench.site.get() }
        #expect((error.cause as? OAuth2Error)?.code == .ended)
    }
}
