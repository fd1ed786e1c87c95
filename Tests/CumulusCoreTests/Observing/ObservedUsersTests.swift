// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// One user's data is never shown to another.
@Suite(.timeLimit(.minutes(5))) struct ObservedUsersTests {
    private static let ada = Credentials(user: "ada", password: "a")
    private static let grace = Credentials(user: "grace", password: "g")

    /// The ways in which a user is set on a tree.
    enum Way: CaseIterable {
        case credentials, bearer, header, query, interceptor

        func sign(_ settings: inout Resource.Settings, _ user: String) {
            switch self {
            case .credentials: settings.credentials = Credentials(user: user, password: "x")
            case .bearer: settings.authorizers.append(.bearer(Secret(user)))
            case .header: settings.headers["X-User"] = "\(user)"
            case .query: settings.query["user"] = "\(user)"
            case .interceptor:
                settings.interceptors.append { request, next in
                    var request = request
                    request.headers[.authorization] = user
                    return try await next(request)
                }
            }
        }
    }

    @Test(arguments: Way.allCases) func usersOfOneTreeSeeTheirOwn(way: Way) async throws {
        let site = ObservedSite { request in
            let fields = "\(request.headers)\(request.query ?? "")"
            return .json(fields.contains("grace") || fields.contains("Z3JhY2U") ? "2" : "1")
        }
        let ada = site.site["me"].with { way.sign(&$0, "ada") }
        let grace = site.site["me"].with { way.sign(&$0, "grace") }
        let adas = ada.updates(as: Int.self)
        let graces = grace.updates(as: Int.self)
        for _ in 0..<3 {
            _ = try await (ada.get(as: Int.self), grace.get(as: Int.self))
            await adas.refresh()
            await graces.refresh()
            #expect(try await adas.settled.value == 1)
            #expect(try await graces.settled.value == 2)
            site.site.invalidate()
            #expect(try await adas.settled.value == 1)
            #expect(try await graces.settled.value == 2)
        }
    }

    @Test func changedUserDoesNotSeeTheLastOnesValue() async throws {
        let site = ObservedSite { $0.number == 1 ? .json("1") : .status(.serviceUnavailable) }
        site.site.setRules { $0.credentials = Self.ada }
        let updates = site.site["me"].updates(as: Int.self)
        #expect(try await updates.settled.value == 1)
        site.site.setRules { $0.credentials = Self.grace }
        await updates.refresh()
        #expect(updates.current.value == nil && updates.current.updatedAt == nil)
        #expect((updates.current.error as? CumulusError)?.statusCode == 503)
    }

    @Test(arguments: [HTTPResponse.Status.unauthorized, .forbidden])
    func valueGoesWhenItMayNotBeSeenAnyMore(status: HTTPResponse.Status) async throws {
        let site = ObservedSite { $0.number == 1 ? .json("1") : .status(status) }
        let updates = site.site["me"].updates(as: Int.self)
        _ = try await updates.settled
        await updates.refresh()
        #expect(updates.current.value == nil && (updates.current.error as? CumulusError)?.statusCode == status.code)
    }

    @Test(arguments: [HTTPResponse.Status.unauthorized, .forbidden])
    func olderResponseIsNotShownAfterARefusal(status: HTTPResponse.Status) async throws {
        let (arrived, gate) = (Gate(), Gate())
        let site = ObservedSite { request in
            if request.number == 2 {
                arrived.open()
                try await gate.wait()
            }
            return request.number < 3 ? .json("\(request.number)") : .status(status)
        }
        let updates = site.site["me"].updates(as: Int.self)
        _ = try await updates.settled
        site.clock.advance(by: .seconds(1))
        async let older = site.site["me"].get(as: Int.self)
        try await arrived.wait()
        site.clock.advance(by: .seconds(1))
        await updates.refresh()
        gate.open()
        #expect(try await older == 2)
        let state = try await updates.settled
        #expect(state.value == nil && (state.error as? CumulusError)?.statusCode == status.code)
    }

    @Test func responseToTheLastUserIsNotShownToTheNext() async throws {
        let arrived = Gate()
        let gate = Gate()
        let site = ObservedSite { request in
            if request.number == 2 {
                arrived.open()
                try await gate.wait()
            }
            return request.number < 3 ? .json("\(request.number)") : .status(.serviceUnavailable)
        }
        site.site.setRules { $0.credentials = Self.ada }
        let updates = site.site["me"].updates(as: Int.self)
        _ = try await updates.settled
        async let late = site.site["me"].get(as: Int.self)
        try await arrived.wait()
        site.site.setRules { $0.credentials = Self.grace }
        await updates.refresh()
        gate.open()
        #expect(try await late == 2)
        #expect(try await updates.settled.value == nil)
    }

    /// A server that holds its first response, and sends each user another number.
    private func heldSite(_ arrived: Gate, _ gate: Gate) -> ObservedSite {
        let site = ObservedSite { request in
            if request.number == 1 {
                arrived.open()
                try await gate.wait()
            }
            return .json(request.headers[.authorization] == Self.ada.header ? "1" : "2")
        }
        site.site.setRules { $0.headers[.authorization] = Self.ada.header }
        return site
    }

    @Test func getOfTheLastUserIsReplaced() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let site = heldSite(arrived, gate)
        let updates = site.site["me"].updates(as: Int.self)
        try await arrived.wait()
        site.site.setRules { $0.headers[.authorization] = Self.grace.header }
        async let refreshed: Void = updates.refresh()
        await refreshed
        gate.open()
        #expect(try await updates.settled.value == 2)
    }

    @Test func responseIsNotShownIfTheUserChangedMeanwhile() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let site = heldSite(arrived, gate)
        let updates = site.site["me"].updates(as: Int.self)
        try await arrived.wait()
        site.site.setRules { $0.headers[.authorization] = Self.grace.header }
        gate.open()
        #expect(try await updates.settled.value == 2)
        #expect(site.count == 2)
    }

    @Test func responseThatIsDecodedForTheLastUserIsNotShown() async throws {
        func key(_ path: String) throws -> JoinKey? {
            let request = EncodedRequest(method: .get, url: try RequestURL("http://a.example/\(path)"))
            return JoinKey(request, named: "", settings: ExchangeSettings(SettingValues()), users: [])
        }
        let now = Moment.now
        let adas = try #require(try key("ada"))
        var state = ObservedState<Int>(key: adas)
        let begun = state.beginDecoding([adas], since: now)
        let user = try #require(begun)
        _ = state.begin(.use(ifOlderThan: .zero), try key("grace"), at: now)
        let late = state.beginDecoding([adas], since: now)
        #expect(late == nil)
        let response = try await ObservedSite().site["n"].get()
        state.endDecoding(1, response, of: user, since: now, at: now)
        #expect(state.shown.value == nil)
    }

    @Test func hooksThatChangeTheRequestAreFollowed() async throws {
        let site = ObservedSite()
        site.site.setRules { $0.preflights.append { $0.headers["X-Language"] = "de" } }
        let updates = site.site["n"].updates(as: Int.self)
        _ = try await updates.settled
        _ = try await site.site["n"].get(as: Int.self)
        #expect(try await updates.first { $0.value == 2 }.value == 2)
    }

    @Test func responsesOfAnUnknownUserAreNotShared() async throws {
        struct Stranger: Authorizer {
            var identity: AuthorizerIdentity? { nil }
            func authorize(_ request: inout EncodedRequest) async throws {}
        }
        let site = ObservedSite()
        site.site.setRules { $0.authorizers.append(Stranger()) }
        let one = site.site["n"].updates(as: Int.self)
        let two = site.site["n"].updates(as: Int.self)
        _ = try await (one.settled, two.settled)
        #expect(one.observed !== two.observed)
        _ = try await site.site["n"].get(as: Int.self)
        #expect(Set([one.current.value, two.current.value]) == [1, 2])
        site.site.invalidate()
        _ = try await (one.settled, two.settled)
        #expect(site.count == 5)
    }
}

extension Credentials {
    /// A field that identifies the user.
    fileprivate var header: String { "Bearer \(user)" }
}
