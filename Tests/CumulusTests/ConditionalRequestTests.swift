// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import Foundation
import Synchronization
import Testing

/// Conditional requests against a real server: set, unset, nil, tracked, kept, 304, changed.
@Suite(.timeLimit(.minutes(10))) struct ConditionalRequestTests {
    /// A document with a tag and a date, which may be changed.
    private final class Document: Sendable {
        struct State {
            var tag: String? = "\"1\""
            var date: String? = "Sun, 06 Nov 1994 08:49:37 GMT"
            var seen: [HTTPFields] = []
        }

        let state = Mutex(State())

        func answer(_ request: ServerRequest) -> ServerResponse {
            let (tag, date) = state.withLock { state in
                state.seen.append(request.headers)
                return (state.tag, state.date)
            }
            var headers: Headers = [:]
            headers[.eTag] = tag
            headers[.lastModified] = date
            if let match = request.headers[.ifMatch], match != tag { return ServerResponse(.preconditionFailed) }
            if let known = request.headers[.ifNoneMatch] {
                if known == tag { return ServerResponse(.notModified, headers: headers) }
            } else if let since = request.headers[.ifModifiedSince], since == date {
                return ServerResponse(.notModified, headers: headers)
            }
            return ServerResponse(headers: headers, body: Array("body".utf8))
        }

        var last: HTTPFields { state.withLock { $0.seen.last ?? [:] } }
        func change(_ edit: (inout State) -> Void) { state.withLock { edit(&$0) } }
    }

    private let document = Document()

    private func withSite(_ run: (Resource) async throws -> Void) async throws {
        let document = document
        try await withLoopbackServer { routes in
            routes.on(nil, "/doc") { document.answer($0) }
            routes.on(nil, "/other") { document.answer($0) }
            routes.get("/old") { _ in .redirect(to: "/doc") }
        } _: { server in
            try await run(Resource(server.url))
        }
    }

    private struct NoFailure: Error {}

    private func failure<Result>(of call: () async throws -> Result) async throws -> CumulusError {
        do {
            _ = try await call()
        } catch let error as CumulusError {
            return error
        }
        throw NoFailure()
    }

    private let date = Date(timeIntervalSince1970: 784_111_777)

    // MARK: The seven flows

    @Test func aDateThatIsSetIsSent() async throws {
        try await withSite { site in
            site.setRules { $0.conditions.ifModifiedSince = date }
            let response = try await site["doc"].get()
            #expect(document.last[.ifModifiedSince] == "Sun, 06 Nov 1994 08:49:37 GMT")
            #expect(response.isNotModified)
        }
    }

    @Test func unsetNothingIsSent() async throws {
        try await withSite { site in
            try await site["doc"].get().requireSuccess()
            try await site["doc"].get().requireSuccess()
            #expect(document.last[.ifModifiedSince] == nil)
            #expect(document.last[.ifNoneMatch] == nil)
        }
    }

    @Test func nilTakesItAway() async throws {
        try await withSite { site in
            site.setRules { $0.conditions.ifModifiedSince = date }
            let child = site["doc"]
            child.setRules { $0.conditions.ifModifiedSince = nil }
            try await child.get().requireSuccess()
            #expect(document.last[.ifModifiedSince] == nil)
        }
    }

    @Test func aTrackedRevisionIsSentAndAnsweredWith304() async throws {
        try await withSite { site in
            site.setRules { $0.tracksRevisions = true }
            try await site["doc"].get().requireSuccess()
            let again = try await site["doc"].get()
            #expect(again.isNotModified)
            #expect(again.revision?.entityTag == "\"1\"")
            #expect(document.last[.ifNoneMatch] == "\"1\"")
            #expect(document.last[.ifModifiedSince] == "Sun, 06 Nov 1994 08:49:37 GMT")
        }
    }

    @Test func itIsKeptWhereAnAnswerHasNone() async throws {
        try await withSite { site in
            site.setRules { $0.tracksRevisions = true }
            try await site["doc"].get().requireSuccess()
            document.change { ($0.tag, $0.date) = (nil, nil) }
            try await site["doc"].get().requireSuccess()
            try await site["doc"].get().requireSuccess()
            #expect(document.last[.ifNoneMatch] == "\"1\"")
        }
    }

    @Test("a call for a value without a condition gets the value again")
    func aValueIsAskedForWithoutConditions() async throws {
        try await withSite { site in
            site.setRules { $0.tracksRevisions = true }
            let first = try await site["doc"].get(as: String.self)
            #expect(first == "body")
            let second = try await site["doc"].get(as: String.self)
            #expect(second == "body")
            _ = try await site["doc"].get(as: String.self)
            #expect(document.last[.ifNoneMatch] == nil)
            let response = try await site["doc"].get()
            #expect(response.isNotModified)
            let asking = site.with { $0.conditions.ifNoneMatch = "1" }
            let error = try await failure { try await asking["doc"].get(as: String.self) }
            #expect(error.code == .notModified)
            #expect(error.response?.isNotModified == true)
            let streamed = try await site.with { $0.conditions.ifNoneMatch = "1" }["doc"].call(.get).stream(
                anyStatus: true
            )
            #expect(streamed.status == .notModified)
        }
    }

    @Test func aChangeIsAnsweredWithTheBody() async throws {
        try await withSite { site in
            site.setRules { $0.tracksRevisions = true }
            try await site["doc"].get().requireSuccess()
            document.change { ($0.tag, $0.date) = ("\"2\"", "Mon, 07 Nov 1994 08:49:37 GMT") }
            let changed = try await site["doc"].get(as: String.self)
            #expect(changed == "body")
            let seen = Mutex<String?>(nil)
            site.setRules { $0.validators = [{ response in seen.withLock { $0 = response.revision?.entityTag } }] }
            let again = try await site["doc"].get()
            #expect(again.isNotModified)
            #expect(document.last[.ifNoneMatch] == "\"2\"")
            #expect(seen.withLock { $0 } == "\"2\"")
        }
    }

    // MARK: What is told apart

    @Test func eachURLMethodAndAcceptHasItsOwn() async throws {
        try await withSite { site in
            site.setRules { $0.tracksRevisions = true }
            try await site["doc"].get().requireSuccess()
            for other in [
                try await site["other"].get(), try await site["doc"].get(query: ["page": 2]),
                try await site["doc"].head(),
                try await site["doc"].get(headers: [.accept: "text/csv"]),
            ] { #expect(other.isSuccessful) }
        }
    }

    @Test func aRedirectsEndIsNotRemembered() async throws {
        try await withSite { site in
            site.setRules { $0.tracksRevisions = true }
            try await site["old"].get().requireSuccess()
            try await site["old"].get().requireSuccess()
            try await site["doc"].get().requireSuccess()
        }
    }

    @Test func theRequestsOwnConditionWins() async throws {
        try await withSite { site in
            site.setRules { $0.tracksRevisions = true }
            try await site["doc"].get().requireSuccess()
            try await site["doc"].get(headers: [.ifNoneMatch: "\"mine\""]).requireSuccess()
            #expect(document.last[.ifNoneMatch] == "\"mine\"")
            #expect(document.last[.ifModifiedSince] == nil)
            let ranged = try await site["doc"].get(headers: [.range: "bytes=0-1"])
            #expect(ranged.isSuccessful)
        }
    }

    @Test func forgettingIsForAPlaceAndWhatIsBelow() async throws {
        try await withSite { site in
            site.setRules { $0.tracksRevisions = true }
            try await site["doc"].get().requireSuccess()
            try await site["other"].get().requireSuccess()
            site["doc"].forgetRevisions()
            #expect(try await site["doc"].get().isSuccessful)
            #expect(try await site["other"].get().isNotModified)
            site.forgetRevisions()
            #expect(try await site["other"].get().isSuccessful)
        }
    }

    // MARK: Guarded changes

    @Test func aGuardedChangeGoesThroughOnlyWhereNobodyElseChangedIt() async throws {
        try await withSite { site in
            site.setRules {
                $0.tracksRevisions = true
                $0.conditions = .ifUnchanged
            }
            try await site["doc"].get().requireSuccess()
            #expect(try await site["doc"].put(.text("mine")).isSuccessful)
            #expect(document.last[.ifMatch] == "\"1\"")
            document.change { $0.tag = "\"2\"" }
            for answer in [
                try await site["doc"].put(.text("mine")), try await site["doc"].patch(.text("mine")),
                try await site["doc"].delete(),
            ] { #expect(answer.status == .preconditionFailed) }
            #expect(try await site["doc"].post(.text("free")).isSuccessful)
        }
    }

    @Test func aGuardThatCantBeKeptSendsNothing() async throws {
        try await withSite { site in
            site.setRules {
                $0.tracksRevisions = true
                $0.conditions = .ifUnchanged
            }
            let unknown = try await failure { try await site["doc"].put(.text("mine")) }
            #expect(unknown.code == .invalidRequest)
            #expect(unknown.message.contains("fetch the resource first"))
            document.change { ($0.tag, $0.date) = ("W/\"1\"", nil) }
            try await site["doc"].get().requireSuccess()
            let weak = try await failure { try await site["doc"].put(.text("mine")) }
            #expect(weak.message.contains("weak"))
            document.change { $0.date = "Sun, 06 Nov 1994 08:49:37 GMT" }
            try await site["doc"].get(query: ["fresh": 1]).requireSuccess()
            try await site["doc"].put(.text("mine"), query: ["fresh": 1]).requireSuccess()
            #expect(document.last[.ifUnmodifiedSince] == "Sun, 06 Nov 1994 08:49:37 GMT")
        }
    }

    @Test(
        "a guarded document is fetched without compression, whose tag a server couldn't compare",
        arguments: ["nginx", "apache"]
    )
    func guardedDocumentsAreNotCompressed(server: String) async throws {
        let state = Mutex(1)
        try await withLoopbackServer { routes in
            routes.on(nil, "/doc") { request in
                let number = state.withLock(\.self)
                let isCoded = request.headers[.acceptEncoding]?.contains("gzip") == true
                let coded = server == "nginx" ? "W/\"\(number)\"" : "\"\(number)-gzip\""
                let tag = isCoded ? coded : "\"\(number)\""
                guard request.method != .get else {
                    return ServerResponse(headers: [.eTag: tag], body: Array("x".utf8))
                }
                guard request.headers[.ifMatch] == "\"\(number)\"" else { return ServerResponse(.preconditionFailed) }
                state.withLock { $0 += 1 }
                return ServerResponse(.noContent)
            }
        } _: { running in
            let site = Resource(running.url) {
                $0.tracksRevisions = true
                $0.conditions = .ifUnchanged
            }
            for _ in 0..<2 {
                try await site["doc"].get().requireSuccess()
                #expect(try await site["doc"].put(.text("mine")).status == .noContent)
            }
            try await site["doc"].get(headers: [.acceptEncoding: "gzip"]).requireSuccess()
            let answer = try? await site["doc"].put(.text("mine"))
            #expect(answer?.isSuccessful != true, "a coding that was asked for stays")
        }
    }

    @Test("a weak tag is sent if the service compares it")
    func weakTags() async throws {
        try await withSite { site in
            site.setRules {
                $0.tracksRevisions = true
                $0.conditions = Conditions(ifUnchanged: true, sendsWeakTags: true)
            }
            document.change { ($0.tag, $0.date) = ("W/\"1\"", nil) }
            try await site["doc"].get().requireSuccess()
            try await site["doc"].put(.text("mine")).requireSuccess()
            #expect(document.last[.ifMatch] == "W/\"1\"")
            document.change { $0.tag = "W/\"2\"" }
            #expect(try await site["doc"].put(.text("mine")).status == .preconditionFailed)
            site.setRules { $0.conditions = Conditions(ifMatch: "W/\"2\"") }
            try await site["doc"].put(.text("mine")).requireSuccess()
            #expect(document.last[.ifMatch] == "W/\"2\"")
        }
    }

    @Test func namedConditionsGoWithTheMethodsTheyAreFor() async throws {
        try await withSite { site in
            site.setRules { $0.conditions = Conditions(ifNoneMatch: "x", ifMatch: "\"1\"", ifUnmodifiedSince: date) }
            try await site["doc"].get().requireSuccess()
            #expect(document.last[.ifNoneMatch] == "\"x\"")
            #expect(document.last[.ifMatch] == nil)
            try await site["doc"].put(.text("")).requireSuccess()
            #expect(document.last[.ifNoneMatch] == nil)
            #expect(document.last[.ifMatch] == "\"1\"")
            #expect(document.last[.ifUnmodifiedSince] == "Sun, 06 Nov 1994 08:49:37 GMT")
            site.setRules { $0.conditions = Conditions(ifNoneMatch: "*") }
            try await site["doc"].put(.text("")).requireSuccess()
            #expect(document.last[.ifNoneMatch] == "*")
            site.setRules { $0.conditions = Conditions(ifMatch: "a\nb") }
            #expect(try await failure { try await site["doc"].put() }.code == .invalidHeader)
        }
    }

    @Test("ifUnchanged names the setting that it needs")
    func ifUnchangedNamesItsSetting() async throws {
        try await withSite { site in
            site.setRules { $0.conditions = .ifUnchanged }
            try await site["doc"].get().requireSuccess()
            let error = try await failure { try await site["doc"].put(body: "new") }
            #expect(error.code == .invalidRequest)
            #expect(error.message.contains("`tracksRevisions` is off"))
        }
    }
}
