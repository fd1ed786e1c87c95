// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// The law of settings: the nearest wins, and rules of a place never beat an override.
@Suite(.timeLimit(.minutes(10))) struct RulesTests {
    private let echo = Echo()
    private var site: Resource { echo.site }

    private func sent(_ resource: Resource) async throws -> TransportRequest {
        try await resource.get().requireSuccess()
        return try #require(echo.transport.lastRequest?.request)
    }

    // MARK: The law

    private enum RootFirstKey: ListSettingKey { typealias Element = Int }
    private enum ChildFirstKey: SettingKey {
        static var defaultValue: [Int] { [] }
        static func combine(inherited: [Int], own: [Int]) -> [Int] { own + inherited }
    }

    /// Writes a setting of each law; levels are counted from the farthest: 1 is the parent's rule.
    private static func write(_ level: Int, to settings: inout Resource.Settings) {
        settings.timeout = .seconds(level)
        settings.headers["X-All"] = "\(level)"
        settings.headers[Headers.Name("X-\(level)")] = "yes"
        settings[key: RootFirstKey.self].append(level)
        settings[key: ChildFirstKey.self] = [level]
        // The second level is the strictest.
        settings.deadline = .seconds(level == 2 ? 1_000 : 2_000 + level)
    }

    @Test("each law holds for every choice of rules and overrides", arguments: 0..<16)
    func law(_ choice: Int) async throws {
        let levels = (1...4).filter { choice & (1 << ($0 - 1)) != 0 }
        // Overrides first, rules last: the order of writing doesn't matter.
        var parent = site["a"]
        if levels.contains(3) { parent = parent.with { Self.write(3, to: &$0) } }
        var place = parent["b"]
        if levels.contains(4) { place = place.with { Self.write(4, to: &$0) } }
        if levels.contains(2) { site["a/b"].setRules { Self.write(2, to: &$0.settings) } }
        if levels.contains(1) { site["a"].setRules { Self.write(1, to: &$0.settings) } }
        #expect(place.timeout == .seconds(levels.max() ?? 60))
        #expect(place.settings[key: RootFirstKey.self].map(\.self) == levels)
        #expect(place.settings[key: ChildFirstKey.self] == levels.reversed())
        #expect(place.deadline == levels.map { .seconds($0 == 2 ? 1_000 : 2_000 + $0) }.min())
        let request = try await sent(place)
        #expect(request.headers[try #require(HTTPField.Name("X-All"))] == levels.max().map { "\($0)" })
        for level in 1...4 {
            let name = try #require(HTTPField.Name("X-\(level)"))
            #expect(request.headers[name] == (levels.contains(level) ? "yes" : nil))
        }
        try await place.get(headers: ["X-All": "call"]).requireSuccess()
        #expect(echo.transport.lastRequest?.headers[try #require(HTTPField.Name("X-All"))] == "call")
    }

    @Test("children made from a copy have its settings, and nobody else has")
    func copies() {
        let mine = site["a"].with { $0.timeout = .seconds(5) }
        #expect(mine["b"]["c"].timeout == .seconds(5))
        #expect(site["a"]["b"].timeout == .seconds(60) && mine.parent?.timeout == .seconds(60))
        site["a/b/c"].setRules { $0.timeout = .seconds(7) }
        #expect(mine["b"]["c"].timeout == .seconds(5) && site["a/b/c"].timeout == .seconds(7))
        #expect(mine.with { $0.timeout = .seconds(3) }["b"].timeout == .seconds(3))
    }

    @Test("a copy's parent has the copy's settings if it was made from it")
    func parents() {
        let mine = site.with { $0.timeout = .seconds(5) }
        #expect(mine["a"].parent?.timeout == .seconds(5))
    }

    // MARK: Places

    @Test("a place has its rules however it was reached")
    func ways() throws {
        site["a/b"].setRules { $0.timeout = .seconds(5) }
        let ways = [
            site["a"]["b"], site["a/b/"], site["a/b?x=1"], site[path: "a/b"], site["a"][segment: "b"],
            site.child(format: "a/%@", "b"), site.child(template: "a/{name}", ["name": "b"]),
            site["a/c"].relative(to: "../b"), site.follow("a/b?page=2"), site["z"].follow("/a/%62"),
        ]
        for way in ways { #expect(way.timeout == .seconds(5), "\(way)") }
        #expect(ways.allSatisfy { $0["below"].timeout == .seconds(5) })
        for other in [site[segment: "a/b"], site["A/b"], site["a"], site["a/bb"]] {
            #expect(other.timeout == .seconds(60), "\(other)")
        }
    }

    @Test("whatever places have rules, and however a child was made, it has those on its way", arguments: 1...40)
    func ways(_ seed: UInt64) {
        var numbers = SeededNumbers(seed)
        let base = "https://a.example" + ["", "/v1", "/v1/a/"][Int(seed % 3)]
        let site = Resource(base, transport: echo.transport.watched)
        let names = ["a", "ab", "b", "a%2Fb", "v1"]
        func path() -> [String] {
            (0..<Int.random(in: 0...3, using: &numbers)).map { _ in names[Int.random(in: 0...4, using: &numbers)] }
        }
        var rules: [[String]: Int] = [:]
        func write(_ number: Int) {
            let place = path()
            rules[place] = number
            child(place).setRules { $0.timeout = .seconds(number) }
        }
        func child(_ place: [String]) -> Resource {
            var (resource, rest) = (site, place[...])
            while !rest.isEmpty {
                let count = Int.random(in: 1...rest.count, using: &numbers)
                resource = resource[path: rest.prefix(count).joined(separator: "/")]
                rest = rest.dropFirst(count)
            }
            return resource
        }
        for number in 1...6 {
            write(number)
            for _ in 1...20 {
                let place = path()
                let expected = (0...place.count).compactMap { rules[Array(place.prefix($0))] }.last
                #expect(child(place).timeout == .seconds(expected ?? 60), "\(base) \(place), \(rules)")
            }
        }
    }

    @Test("a segment with an escaped slash has rules of its own")
    func escapedSlash() {
        site[segment: "a/b"].setRules { $0.timeout = .seconds(5) }
        #expect(site[segment: "a/b"].timeout == .seconds(5) && site["a/b"].timeout == .seconds(60))
    }

    @Test("links within the origin have the rules of their own path, from the root's on, and the follower's overrides")
    func links() {
        let api = Resource("https://a.example/api/v1", transport: echo.transport.watched) { $0.headers["X-Root"] = "1" }
        let posts = api["posts"]
        posts.setRules { $0.headers["X-Posts"] = "1" }
        api["users"].setRules { $0.headers["X-Users"] = "1" }
        let mine = posts.with { $0.headers["X-Mine"] = "1" }
        func names(_ resource: Resource) -> Set<String> {
            Set(resource.headers.entries.map(\.name.text))
        }
        #expect(names(mine.follow("/api/v1/users/7")) == ["X-Root", "X-Users", "X-Mine"])
        #expect(names(mine.follow("/other")) == ["X-Root", "X-Mine"])
        #expect(names(mine.follow("/api")) == ["X-Root", "X-Mine"])
        #expect(names(mine.follow("/api/v1/posts?page=2")) == ["X-Root", "X-Posts", "X-Mine"])
        // Rules above and beside the root are written through a link, and live as well.
        api.follow("/other").setRules { $0.headers["X-Other"] = "1" }
        #expect(names(posts.follow("/other/x")) == ["X-Root", "X-Other"])
        api.follow("/api").setRules { $0.headers["X-Above"] = "1" }
        #expect(names(posts) == ["X-Above", "X-Root", "X-Posts"])
        // A link's own query doesn't reach links that are followed from there.
        #expect(mine.follow("/api/v1/posts?page=2").follow("/other").queryString == nil)
        #expect(mine.follow("/api/v1/posts?page=2")["x"].queryString == "page=2")
    }

    @Test("at another origin a link has only what may cross, and never gets the tree's rules back")
    func elsewhere() {
        site.setRules {
            $0.timeout = .seconds(5)
            $0.authorizers = [.bearer("secret")]
            $0.headers["X-Secret"] = "1"
        }
        let mine = site.with { $0.authorizers = [.bearer("mine")] }
        let other = mine.follow("https://b.example/x")
        #expect(other.timeout == .seconds(5) && other.authorizers.isEmpty && other.headers.isEmpty)
        site.follow("https://b.example/x").setRules { $0.timeout = .seconds(3) }
        #expect(site.follow("https://b.example/x/y").timeout == .seconds(3))
        let back = other.follow("https://a.example/x")
        #expect(back.authorizers.isEmpty && back.headers.isEmpty)
        site.setRules { $0.connectTimeout = .seconds(1) }
        #expect(other.connectTimeout == .seconds(1) && back.connectTimeout == .seconds(1))
        // A user without a token gets the tree's at no origin.
        let nobody = site.with { $0.authorizers = .replacing([]) }
        site.setRules {
            $0.authorizers = [
                BoundAuthorizer.bearer("shared").sharing(with: [Origin(scheme: .https, host: "b.example")])
            ]
        }
        #expect(site.follow("https://b.example/").authorizers.count == 1)
        #expect(nobody.follow("https://b.example/").authorizers.isEmpty)
        // Back from an origin that shares it, but not from one that doesn't.
        let root = "https://api.example.com/"
        #expect(site.follow("https://b.example/").follow(root).authorizers.count == 1)
        let third = site.follow("https://c.example/")
        #expect(third.authorizers.isEmpty && third.follow(root).authorizers.isEmpty)
    }

    @Test("a separate place keeps the overrides on the way there and back, and never gets back what didn't cross")
    func separate() {
        site.setRules { $0.authorizers = [.bearer("service")] }
        let mine = site.with { $0.authorizers = .replacing([.bearer("mine")]) }
        func tokens(_ resource: Resource) -> [String] { resource.authorizers.map(\.description) }
        var place = mine
        for _ in 0..<1_000 {
            place = Resource("https://b.example", over: place).with { $0.timeout = .seconds(3) }
            place = Resource(site.urlString ?? "", over: place)
        }
        #expect(tokens(place) == tokens(mine) && place.timeout == .seconds(3))
        let other = Resource("https://b.example", over: mine)
        #expect(tokens(other) == tokens(mine))
        Resource("https://b.example", over: site).setRules { $0.timeout = .seconds(2) }
        #expect(Resource("https://b.example/x", over: site).timeout == .seconds(2))
        // Through a link to another origin nothing of the tree's comes back.
        let far = mine.follow("https://c.example")
        #expect(Resource(site.urlString ?? "", over: far).authorizers.isEmpty)
        #expect(Resource("https://b.example", over: far).authorizers.isEmpty)
        #expect(Resource("https://c.example/y", over: far).authorizers.isEmpty)
    }

    @Test("a limit of older rules that comes late changes nothing")
    func late() {
        let gate = ConcurrencyLimiter()
        gate.change(to: 5, asOf: 2)
        gate.change(to: 1, asOf: 1)
        #expect(gate.enterIfFree() && gate.enterIfFree())
    }

    @Test("a refused path has no rules, and leaves those of the place above alone")
    func refused() async throws {
        let refused = site["a"][path: "../../b"]
        refused.setRules { $0.timeout = .seconds(5) }
        #expect(site["a"].timeout == .seconds(60))
        await #expect(throws: CumulusError.self) { try await refused.get() }
    }

    // MARK: Writing

    @Test("a closure runs once, may write other rules, and loses none of theirs")
    func nested() {
        var runs = 0
        site.setRules {
            runs += 1
            $0.headers["X-A"] = "1"
            site.setRules { $0.headers["X-B"] = "2" }
            site["a"].setRules { $0.headers["X-C"] = "3" }
        }
        #expect(runs == 1)
        #expect(Set(site["a"].headers.entries.map(\.name.text)) == ["X-A", "X-B", "X-C"])
    }

    @Test("a variable that is written twice adds what it has once")
    func twice() {
        func add(_ settings: inout Resource.Settings) {
            var (list, fields, items) = (settings.authorizers, settings.headers, settings.query)
            list.append(.bearer("1"))
            (settings.authorizers, settings.headers, settings.query) = (list, fields, items)
            list.append(.bearer("2"))
            for value in 1...2 {
                fields.add(value, for: "X-A")
                items.add(value, for: "a")
                (settings.authorizers, settings.headers, settings.query) = (list, fields, items)
            }
        }
        site.setRules { add(&$0.settings) }
        let copy = site.with { add(&$0) }
        #expect(site.authorizers.count == 2 && copy.authorizers.count == 4)
        #expect(site.headers["X-A"] == "1, 2")
        #expect(site.queryString == "a=1&a=2" && copy.queryString == "a=1&a=2")
    }

    @Test("credentials take the place of those that a place has, and of nothing that was added meanwhile")
    func credentials() {
        site.setRules {
            $0.credentials = Credentials(user: "old", password: "p")
            site.setRules { $0.authorizers.append(.bearer("t")) }
            $0.credentials = Credentials(user: "new", password: "p")
        }
        #expect(site.credentials?.user == "new" && site.authorizers.count == 2)
        site.setRules { $0.credentials = nil }
        #expect(site.credentials == nil && site.authorizers.count == 1)
    }

    @Test("a hundred tasks write rules and send requests, and nothing is lost")
    func many() async throws {
        let site = site
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    site.setRules { $0.settings[key: RootFirstKey.self].append(number) }
                    site["\(number)"].setRules { $0.headers["X-Number"] = "\(number)" }
                    try await site["\(number)/x"].get().requireSuccess()
                    #expect(site["\(number)/x"].headers["X-Number"] == "\(number)")
                }
            }
            try await group.waitForAll()
        }
        #expect(Set(site.settings[key: RootFirstKey.self]) == Set(0..<100))
    }

    @Test("ten thousand places that were ruled and inherit again leave nothing behind")
    func forgotten() {
        final class Mark: Sendable {}
        enum MarkKey: SettingKey { static var defaultValue: Mark? { nil } }
        weak var last: Mark?
        for number in 0..<10_000 {
            let mark = Mark()
            site["a/\(number)/b"].setRules { $0.settings[key: MarkKey.self] = mark }
            last = mark
        }
        let rules = site.tree.rules
        let root = site.node.rulePath
        #expect(last != nil && !rules.resolved(at: root).isDeepest)
        for number in 0..<10_000 {
            site["a/\(number)/b"].change(source: nil) { $0.inherit(MarkKey.self) }
        }
        #expect(last == nil && rules.resolved(at: root).isDeepest)
    }

    @Test("places without rules share their parent's settings, with the same overrides")
    func shared() {
        site["ruled"].setRules { $0.timeout = .seconds(1) }
        let mine = site.with { $0.timeout = .seconds(5) }
        #expect(site["a"].snapshot === site.snapshot && site["a/b"].snapshot === site.snapshot)
        #expect(mine["a"].snapshot === mine.snapshot && mine["a"].snapshot !== site.snapshot)
        #expect(site["ruled/x"].snapshot === site["ruled"].snapshot)
    }

    @Test("neither a path of any length nor a long line of copies or links makes calls nest")
    func long() {
        let deep = site[path: String(repeating: "a/", count: 100_000)]
        deep.setRules { $0.timeout = .seconds(5) }
        #expect(deep["b"].timeout == .seconds(5) && site["a"].timeout == .seconds(60))
        deep.setRules { $0.inherit(\.timeout) }
        var copy = site
        for number in 0..<5_000 { copy = copy.with { $0.timeout = .seconds(number) } }
        #expect(copy["a"].timeout == .seconds(4_999))
        var page = site
        for number in 0..<10_000 {
            page = page.follow("https://\(number.isMultiple(of: 2) ? "b" : "c").example/?page=\(number)")
        }
        #expect(page.queryString == "page=9999")
    }

    // MARK: Users and limits

    @Test("two users' copies never see each other's credentials, and a third needs to say that there are none")
    func users() async throws {
        let site = site
        site.setRules { $0.authorizers = [.bearer("service")] }
        let seen = Mutex<[String: Set<String>]>([:])
        let transport = StubTransport { request in
            let user = request.path.split(separator: "/").first.map(String.init) ?? ""
            seen.withLock { _ = $0[user, default: []].insert(request.headers[.authorization] ?? "none") }
            return .text("ok")
        }
        let api = Resource("https://a.example", transport: transport.watched) { $0.authorizers = [.bearer("service")] }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in ["ada", "eve", "nobody", "lazy"] {
                let mine =
                    switch user {
                    case "nobody": api.with { $0.authorizers = .replacing([]) }
                    case "lazy": api
                    default: api.with { $0.authorizers = [.bearer(Secret(user))] }
                    }
                for number in 0..<50 { group.addTask { try await mine["\(user)/\(number)"].get().requireSuccess() } }
            }
            try await group.waitForAll()
        }
        #expect(
            seen.withLock(\.self) == [
                "ada": ["Bearer ada"], "eve": ["Bearer eve"], "nobody": ["none"], "lazy": ["Bearer service"],
            ]
        )
    }

    @Test("a limit that is raised, or forgotten, reaches those that wait for it", arguments: [false, true])
    func limits(isForgotten: Bool) async throws {
        let gate = Gate()
        let transport = StubTransport { _ in
            try await gate.wait()
            return .text("ok")
        }
        let site = Resource("https://a.example", transport: transport.watched) { $0.maxConcurrentRequests = 1 }
        let calls = (0..<3).map { number in Task { try await site["\(number)"].get().isSuccessful } }
        try await eventually { site.runningCalls.count == 3 && gate.waiterCount == 1 }
        // A place with its own limit doesn't take a slot of its parent.
        site["free"].setRules { $0.maxConcurrentRequests = 1 }
        let free = Task { try await site["free"].get().isSuccessful }
        try await eventually { gate.waiterCount == 2 }
        site.setRules { if isForgotten { $0.inherit(\.maxConcurrentRequests) } else { $0.maxConcurrentRequests = 9 } }
        try await eventually { gate.waiterCount == 4 }
        gate.open()
        for call in calls + [free] { #expect(try await call.value) }
    }
}
