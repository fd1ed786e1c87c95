// SPDX-License-Identifier: Apache-2.0

import CumulusOAuth
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Whom a request speaks for, as a store sees it.
@Suite(.timeLimit(.minutes(10))) struct StorePartitionTests {
    private let store = SmallStore()
    private let transport = StubTransport { _ in .text("x") }

    /// The partition of a call.
    private func partition(
        of headers: Headers = [:],
        _ overrides: (inout Resource.Settings) -> Void = { _ in }
    ) async throws -> StorePartition {
        let site = Resource("https://a.example", transport: transport.watched) { $0.responseStore = store }
        _ = try await site.with(overrides).get(headers: headers)
        return try #require(store.contexts.last?.partition)
    }

    /// A jar with a cookie.
    private func jar() throws -> CookieJar {
        let jar = CookieJar()
        try jar.set("s=1", from: "https://a.example/")
        return jar
    }

    @Test func differentIdentitiesNeverShare() async throws {
        let (jar, other) = (try jar(), try jar())
        let all = [
            try await partition(),
            try await partition { $0.credentials = Credentials(user: "ada", password: "right") },
            try await partition { $0.credentials = Credentials(user: "ada", password: "wrong") },
            try await partition { $0.authorizers.append(.bearer("one")) },
            try await partition { $0.authorizers.append(.bearer("two")) },
            try await partition { $0.authorizers.append(.apiKey("one", header: "X-Key")) },
            try await partition { $0.authorizers.append(.apiKey("one", header: "X-Admin-Key")) },
            try await partition { $0.authorizers.append(.apiKey("one", query: "x-key")) },
            try await partition { $0.authorizers.append(.digest(user: "ada", password: "right")) },
            try await partition { $0.authorizers.append(.sortedParameters(secret: "one")) },
            try await partition { $0.authorizers.append(.sortedParameters(secret: "one", signatureName: "s")) },
            try await partition { $0.cookies = jar },
            try await partition { $0.cookies = other },
            try await partition(of: [.authorization: "Bearer one"]),
            try await partition(of: [.authorization: "Bearer two"]),
            try await partition(of: ["X-API-Key": "one"]),
            try await partition(of: [.cookie: "s=1"]),
            try await partition {
                $0.authorizers.append(.bearer("one"))
                $0.cookies = jar
            },
        ]
        #expect(Set(all).count == all.count)
        #expect(Set(all.map { $0.code(keyedBy: [1, 2, 3]) }).count == all.count)
        #expect(all[0].isAnonymous && !all[1].isAnonymous)
    }

    @Test func theSameIdentityIsRecognized() async throws {
        let one = try await partition { $0.authorizers.append(.bearer("one")) }
        let other = try await partition { $0.authorizers.append(.bearer("one")) }
        #expect(one == other && one.isLasting)
        let key: [UInt8] = [1, 2, 3]
        #expect(one.code(keyedBy: key) == other.code(keyedBy: key))
        #expect(one.code(keyedBy: key) != one.code(keyedBy: [4]))
        let neutral: Headers = ["X-Request-ID": "1", "Accept": "*/*", "Idempotency-Key": "1", "tracestate": "a=b"]
        #expect(try await partition(of: neutral).isAnonymous)
        #expect(try await partition(of: neutral) == partition())
        #expect(try await !partition(of: ["X-CSRF-Token": "2"]).isAnonymous)
        let fields: Headers = ["X-B": "2", "X-A": "1"]
        #expect(try await partition(of: fields) == partition(of: ["X-A": "1", "X-B": "2"]))
        // Without cookies, a jar is like none.
        #expect(try await partition { $0.cookies = CookieJar() }.isAnonymous)
        let jar = try jar()
        let first = try await partition { $0.cookies = jar }
        #expect(try await partition { $0.cookies = jar } == first && !first.isLasting)
    }

    @Test func aTokenWithoutANameHasAPartitionOfItsOwn() async throws {
        let one = BoundAuthorizer.bearer { _ in BearerToken("t") }
        let partition = try await partition { $0.authorizers.append(one) }
        #expect(!partition.isLasting && !partition.isAnonymous && partition.isShareable)
        #expect(try await self.partition { $0.authorizers.append(one) } == partition)
        #expect(try await self.partition { $0.authorizers.append(.bearer { _ in BearerToken("t") }) } != partition)
    }

    /// Two values that aren't UTF-8 read the same, but aren't.
    @Test func fieldsAreComparedByTheirBytes() async throws {
        var partitions: [StorePartition] = []
        let name = try #require(HTTPField.Name("From"))
        for byte: UInt8 in [0xE4, 0xE5] {
            let request = EncodedRequest(
                method: .get,
                url: try RequestURL("https://a.example"),
                headers: HTTPFields([HTTPField(name: name, lenientValue: [byte])])
            )
            var parts = StorePartition.Parts()
            parts.addFields(of: request, NeutralHeaders())
            partitions.append(StorePartition(parts))
        }
        #expect(partitions[0] != partitions[1])
    }

    @Test func aHiddenFieldIsNotNeutral() async throws {
        func partition(_ value: String) async throws -> StorePartition {
            try await self.partition {
                $0.interceptors.append { request, next in
                    var request = request
                    try request.setHeader("X-Request-ID", to: value)
                    request.hide("X-Request-ID")
                    return try await next(request)
                }
            }
        }
        #expect(try await partition("1") != partition("2"))
    }

    @Test func nothingOfItIsPrinted() async throws {
        let partition = try await partition { $0.authorizers.append(.bearer("hush")) }
        #expect(!"\(partition)".contains("hush"))
        var dumped = ""
        dump(partition, to: &dumped)
        dump(AuthorizerIdentity("Bearer", "hush"), to: &dumped)
        #expect(!dumped.contains("hush"))
    }

    /// Two users behind one tree: neither gets 304 for what the other has read.
    @Test func revisionsAreKnownForEachUserApart() async throws {
        let transport = StubTransport { request in
            request.headers[.ifNoneMatch] == nil
                ? .response(headers: [.eTag: "\"1\""], body: Array((request.headers[.authorization] ?? "-").utf8))
                : .response(.notModified)
        }
        let site = Resource("https://a.example", transport: transport.watched) { $0.tracksRevisions = true }
        let ada = site.with { $0.authorizers.append(.bearer("ada")) }
        let eve = site.with { $0.authorizers.append(.bearer("eve")) }
        #expect(try await ada.get().text == "Bearer ada")
        #expect(try await eve.get().text == "Bearer eve")
        #expect(try await ada.get().isNotModified)
        #expect(try await eve.get().isNotModified)
        let change = eve.with { $0.conditions = .ifUnchanged }
        _ = try? await change["other"].put(body: 1)
        #expect(transport.requests.count == 4)
    }

    /// A change has fields that the request that read it doesn't have.
    @Test func aChangeMayHaveMoreFieldsThanTheReadingRequest() async throws {
        let transport = StubTransport { request in
            .response(request.method == .get ? .ok : .noContent, headers: [.eTag: "\"\(request.number)\""], body: [])
        }
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.tracksRevisions = true
            $0.conditions = .ifUnchanged
        }
        let ann = site.with { $0.headers["X-User"] = "ann" }
        _ = try await ann.get()
        for number in 1...2 {
            try await ann.put(body: 1, headers: ["X-CSRF-Token": "t\(number)", "Prefer": "x"]).requireSuccess()
            // The second change is guarded by what the first one led to.
            #expect(transport.lastRequest?.headers[.ifMatch] == "\"\(number)\"")
        }
        let bob = site.with { $0.headers["X-User"] = "bob" }
        await #expect(throws: CumulusError.self) { try await bob.put(body: 1) }
        #expect(transport.requests.count == 3)
    }

    /// An interceptor names the user: neither of two users gets a 304 for a response to the other one.
    @Test func revisionsAreKnownForEachUserOfAHookApart() async throws {
        let transport = StubTransport { request in
            request.headers[.ifNoneMatch] == nil
                ? .response(headers: [.eTag: "\"1\""], body: Array("x".utf8)) : .response(.notModified)
        }
        let user = Mutex("ann")
        let site = Resource("https://a.example", transport: transport.watched) {
            $0.tracksRevisions = true
            $0.interceptors.append { request, next in
                var request = request
                try request.setHeader("X-User", to: user.withLock(\.self))
                return try await next(request)
            }
        }
        #expect(try await !site.get().isNotModified)
        user.withLock { $0 = "bob" }
        #expect(try await !site.get().isNotModified)
        #expect(try await site.get().isNotModified)
    }
}
