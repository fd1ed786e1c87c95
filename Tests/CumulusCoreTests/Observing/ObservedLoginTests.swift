// SPDX-License-Identifier: Apache-2.0

import CumulusOAuth
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Observed resources whose user logs in, or is replaced, while GETs are running.
@Suite(.timeLimit(.minutes(5))) struct ObservedLoginTests {
    @Test("A late response to a GET of the last user is not shown to the next", arguments: [true, false])
    func lateResponseToTheLastUser(isObservedBefore: Bool) async throws {
        let (arrived, adas, bobs) = (Gate(), Gate(), Gate())
        let site = ObservedSite { request in
            let isAda = request.headers[.authorization] == "Bearer ada"
            if request.path == "/refused" { return isAda ? .status(.unauthorized) : .json("0") }
            guard request.path == "/me" else { return .json("0") }
            arrived.open()
            try await (isAda ? adas : bobs).wait()
            return .json(isAda ? "1" : "2")
        }
        let decoded = Mutex<[Int]>([])
        site.site.setRules {
            $0.authorizers = [
                .bearer { latest in
                    latest == nil ? BearerToken("ada", user: "ada") : BearerToken("bob", user: "bob")
                }
            ]
            $0.postProcessors.append { value, _ in
                if let number = value as? Int { decoded.withLock { $0.append(number) } }
                return value
            }
        }
        let other = isObservedBefore ? site.site["other"].updates(as: Int.self) : nil
        async let response = site.site["me"].get()
        try await arrived.wait()
        _ = try await site.site["refused"].get()
        let updates = site.site["me"].updates(as: Int.self)
        adas.open()
        _ = try await response
        bobs.open()
        #expect(try await updates.settled.value == 2)
        #expect(!decoded.withLock { $0.contains(1) })
        withExtendedLifetime(other) {}
    }

    @Test(arguments: ["ada", nil]) func firstTokenIsNoOtherUser(name: String?) async throws {
        let site = ObservedSite()
        site.site.setRules { $0.authorizers = [.bearer { _ in BearerToken("t", user: name) }] }
        let updates = site.site["n"].updates(as: Int.self)
        await updates.refresh(ifOlderThan: .seconds(60))
        #expect(updates.current.value == 1 && updates.current.error == nil)
        #expect(site.count == 1)
        _ = try await site.site["n"].get(as: Int.self)
        #expect(try await updates.settled.value == 2)
    }

    /// A site whose user is replaced while each of the first GETs is running.
    private func site(changes: Int) -> ObservedSite {
        let tree = Mutex<Resource?>(nil)
        let site = ObservedSite { request in
            if request.number <= changes {
                tree.withLock(\.self)?.setRules { $0.headers["X-User"] = "\(request.number)" }
            }
            return .json("\(request.number)")
        }
        tree.withLock { $0 = site.site }
        return site
    }

    @Test(arguments: 1...3) func userWhoChangesAgainIsFollowed(changes: Int) async throws {
        let site = site(changes: changes)
        let state = try await site.site["n"].updates(as: Int.self).settled
        #expect(state.value == changes + 1 && state.error == nil)
        #expect(site.count == changes + 1)
    }

    @Test func userWhoChangesDuringEachGETIsAnError() async throws {
        let site = site(changes: .max)
        let updates = site.site["n"].updates(as: Int.self)
        let state = try await updates.settled
        #expect(state.value == nil && (state.error as? CumulusError)?.code == .authorization)
        #expect("\(state.error.map { "\($0)" } ?? "")".contains("the user changed during each of 4 GETs"))
        #expect(site.count == 4)
    }

    @Test func valueOfTheLastUserIsNeverYoung() async throws {
        let site = ObservedSite()
        site.site.setRules { $0.credentials = Credentials(user: "ada", password: "a") }
        let updates = site.site["n"].updates(as: Int.self)
        _ = try await updates.settled
        await updates.refresh(ifOlderThan: .seconds(60))
        #expect(updates.current.value == 1)
        site.site.setRules { $0.credentials = Credentials(user: "bob", password: "b") }
        await updates.refresh(ifOlderThan: .seconds(60))
        #expect(updates.current.value == 2 && site.count == 2)
    }

    @Test func errorOfTheLastUserIsNotShownToTheNext() async throws {
        let arrived = Gate()
        let site = ObservedSite { request in
            guard request.number == 2 else { return .status(.notFound) }
            arrived.open()
            try await Gate().wait()
            return .json("2")
        }
        site.site.setRules { $0.credentials = Credentials(user: "ada", password: "a") }
        let updates = site.site["n"].updates(as: Int.self)
        #expect(try await updates.settled.error != nil)
        site.site.setRules { $0.credentials = Credentials(user: "bob", password: "b") }
        let refresh = Task { await updates.refresh() }
        try await arrived.wait()
        #expect(updates.current.error == nil)
        refresh.cancel()
        await refresh.value
    }

    @Test func cacheThatRenewsAResponseAfterAUserChangeLeadsToAGETOfTheNextUser() async throws {
        let site = ObservedSite {
            $0.headers[.cacheControl]?.contains("only-if-cached") == true
                ? .status(.gatewayTimeout) : .json("\($0.number)")
        }
        site.site.setRules { $0.headers["X-User"] = "ada" }
        let updates = site.site["n"].updates(as: Int.self)
        _ = try await updates.settled
        site.site.setRules { $0.headers["X-User"] = "bob" }
        let renewed = EncodedRequest(method: .get, url: try RequestURL("http://a.example/n"))
        site.site.tree.context.observed.storeWasRefreshed(renewed)
        #expect(try await updates.settled.value == 2)
        #expect(site.transport.lastRequest?.headers[.cacheControl] == nil)
    }

    @Test func onlyTheFirstLoginContinuesTheUserBeforeIt() throws {
        func key(_ user: AuthorizerIdentity, _ path: String = "n") throws -> JoinKey {
            let request = EncodedRequest(method: .get, url: try RequestURL("http://a.example/\(path)"))
            return try #require(
                JoinKey(request, named: "", settings: ExchangeSettings(SettingValues()), users: [user])
            )
        }
        let before = AuthorizerIdentity.unique()
        let ada = AuthorizerIdentity("ada").following(before)
        #expect(try key(ada).continues(try key(before)))
        #expect(try key(ada).continues(try key(AuthorizerIdentity("ada"))))
        #expect(try key(ada) == key(AuthorizerIdentity("ada")) && key(ada) != key(before))
        #expect(try !key(AuthorizerIdentity("ada")).continues(try key(before)))
        #expect(try !key(ada).continues(try key(.unique())))
        #expect(try !key(before).continues(try key(ada)))
        #expect(try !key(ada, "m").continues(try key(before)))
    }

    @Test func responseToAGETThatWaitedForTheFirstLoginIsShown() async throws {
        func key(_ user: AuthorizerIdentity) throws -> JoinKey {
            let request = EncodedRequest(method: .get, url: try RequestURL("http://a.example/n"))
            return try #require(
                JoinKey(request, named: "", settings: ExchangeSettings(SettingValues()), users: [user])
            )
        }
        let before = AuthorizerIdentity.unique()
        let (old, new) = (try key(before), try key(AuthorizerIdentity("ada").following(before)))
        let now = Moment.now
        var state = ObservedState<Int>(key: old)
        let begun = try #require(state.begin(.first, old, at: now).begun)
        let user = state.beginDecoding([new, old], since: now)
        let response = try await ObservedSite().site["n"].get()
        state.endDecoding(5, response, of: try #require(user), since: now, at: now)
        #expect(state.shown.value == 5 && state.shown.isLoading)
        let step = state.finish(begun.id, .success(6), new, at: now, orElse: CancellationError())
        #expect(step.begun == nil && state.shown.value == 6 && !state.shown.isLoading && state.keys == [new])
    }

    @Test func GETThatFollowsBeginsInTheSameStep() throws {
        func key(_ path: String) throws -> JoinKey? {
            let request = EncodedRequest(method: .get, url: try RequestURL("http://a.example/\(path)"))
            return JoinKey(request, named: "", settings: ExchangeSettings(SettingValues()), users: [])
        }
        let now = Moment.now
        var state = ObservedState<Int>(key: try key("ada"))
        let begun = try #require(state.begin(.reload, try key("ada"), at: now).begun)
        let step = state.finish(begun.id, .success(1), try key("bob"), at: now, orElse: CancellationError())
        #expect(step.begun?.reason == .reload && state.shown.isLoading && state.shown.value == nil)
        let next = try #require(step.begun)
        let last = state.finish(
            next.id,
            .failure(CancellationError()),
            try key("eve"),
            at: now,
            orElse: CumulusError(.authorization, stage: .authorization, "")
        )
        #expect(last.begun == nil && !state.shown.isLoading && state.shown.error == nil)
    }
}
