// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

/// What children inherit, override, mask and inherit again: their own value, a parent's, or any ancestor's.
@Suite struct InheritanceTests {
    private let echo = Echo()
    private var site: Resource { echo.site }

    private func sent(_ resource: Resource) async throws -> TransportRequest {
        try await resource.get().requireSuccess()
        return try #require(echo.transport.lastRequest?.request)
    }

    // MARK: Timeout

    @Test func theDefaultTimeoutIsAMinute() { #expect(site["a"].timeout == .seconds(60)) }

    @Test func aChildInheritsItsParentsTimeout() {
        site.setRules { $0.timeout = .seconds(20) }
        #expect(site["a"].timeout == .seconds(20))
    }

    @Test func aChildInheritsAnyAncestorsTimeout() {
        site.setRules { $0.timeout = .seconds(20) }
        #expect(site["a"]["b"]["c"].timeout == .seconds(20))
    }

    @Test func aChildsOwnTimeoutWins() {
        site.setRules { $0.timeout = .seconds(20) }
        let child = site["a"]
        child.setRules { $0.timeout = .seconds(5) }
        #expect(child.timeout == .seconds(5))
        #expect(site.timeout == .seconds(20))
    }

    @Test func noneCanBeSetBelowAParent() {
        site.setRules { $0.timeout = .seconds(20) }
        let child = site["a"]
        child.setRules { $0.timeout = nil }
        #expect(child.timeout == nil)
        child.setRules { $0.inherit(\.timeout) }
        #expect(child.timeout == .seconds(20))
    }

    @Test func inheritanceIsLive() async throws {
        let child = site["a"]["b"]
        #expect(try await sent(child).deadlines.idle == .seconds(60))
        site.setRules { $0.timeout = .seconds(7) }
        #expect(try await sent(child).deadlines.idle == .seconds(7))
    }

    @Test func theStrictestDeadlineWins() {
        site.setRules { $0.deadline = .seconds(10) }
        let child = site["a"]
        child.setRules { $0.deadline = .seconds(30) }
        #expect(child.deadline == .seconds(10))
        child.setRules { $0.deadline = .seconds(3) }
        #expect(child.deadline == .seconds(3))
        child.setRules { $0.deadline = nil }
        #expect(child.deadline == .seconds(10))
    }

    @Test func deadlinesReachTheTransport() async throws {
        let clock = ManualClock()
        site.setRules {
            $0.clock = clock
            $0.deadline = .seconds(9)
            $0.connectTimeout = .seconds(1)
            $0.poolTimeout = .seconds(2)
        }
        let deadlines = try await sent(site["a"]).deadlines
        #expect(deadlines.total == clock.now + .seconds(9))
        #expect(deadlines.connect == .seconds(1))
        #expect(deadlines.poolWait == .seconds(2))
    }

    // MARK: Headers

    @Test func headersMergeFromAllAncestors() async throws {
        site.setRules { $0.headers["X-A"] = "1" }
        let middle = site["a"]
        middle.setRules { $0.headers["X-B"] = "2" }
        let leaf = middle["b"]
        leaf.setRules { $0.headers["X-C"] = "3" }
        let headers = try await sent(leaf).headers
        #expect(headers["X-A"] == "1")
        #expect(headers["X-B"] == "2")
        #expect(headers["X-C"] == "3")
    }

    @Test func theLeafsHeaderWinsWithoutRegardToCase() async throws {
        site.setRules { $0.headers["X-Name"] = "root" }
        let child = site["a"]
        child.setRules { $0.headers["x-NAME"] = "leaf" }
        #expect(try await sent(child).headers["X-Name"] == "leaf")
    }

    @Test func nilMasksAnInheritedHeader() async throws {
        site.setRules { $0.headers["X-Name"] = "root" }
        let child = site["a"]
        child.setRules { $0.headers["X-Name"] = nil }
        #expect(try await sent(child).headers["X-Name"] == nil)
        child.setRules { $0.headers.inherit("X-Name") }
        #expect(try await sent(child).headers["X-Name"] == "root")
        // Nothing is left of the field, nor of a query's item.
        child.setRules { $0.query["a"] = "1" }
        child.setRules { $0.query.inherit("a") }
        #expect(child.explain(\.headers).contributions.count == 1 && child.explain(\.query).contributions.isEmpty)
    }

    @Test func aRequestsHeadersWin() async throws {
        site.setRules { $0.headers = ["X-A": "site", "X-B": "site"] }
        try await site["a"].get(headers: ["X-A": "call", "X-B": nil]).requireSuccess()
        let headers = try #require(echo.transport.lastRequest?.headers)
        #expect(headers["X-A"] == "call")
        #expect(headers["X-B"] == nil)
        #expect(site.headers["X-A"] == "site")
    }

    @Test func aHeaderMayHaveSeveralValues() async throws {
        site.setRules {
            $0.headers.add("a", for: .accept)
            $0.headers.add("b", for: .accept)
        }
        #expect(try await sent(site).headers.filter { $0.name == .accept }.map(\.value) == ["a", "b"])
    }

    @Test func assigningHeadersSetsTheWholeLayer() {
        site.setRules {
            $0.headers["X-A"] = "1"
            $0.headers = ["X-B": "2"]
        }
        #expect(site.headers["X-A"] == nil)
        #expect(site.headers["X-B"] == "2")
    }

    @Test func concurrentWritesOfNamesLoseNone() async {
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                let site = site
                group.addTask { site.setRules { $0.headers[Headers.Name("X-\(index)")] = "\(index)" } }
            }
        }
        for index in 0..<200 { #expect(site.headers[Headers.Name("X-\(index)")] == "\(index)") }
    }

    @Test func userAgentAndAcceptAreFilledInUnlessSaidOtherwise() async throws {
        let headers = try await sent(site).headers
        #expect(headers[.userAgent]?.hasPrefix("Cumulus/") == true)
        site.setRules { $0.headers[.userAgent] = nil }
        #expect(try await sent(site).headers[.userAgent] == nil)
        site.setRules { $0.headers[.userAgent] = "Atlas/2.1" }
        #expect(try await sent(site).headers[.userAgent] == "Atlas/2.1")
    }

    // MARK: Content type

    @Test func contentTypeSetsBothHeaders() async throws {
        site.setRules { $0.contentType = .xml }
        #expect(site.headers[.contentType] == "application/xml")
        #expect(site.headers[.accept] == "application/xml")
        #expect(try await sent(site["a"]).headers[.accept] == "application/xml")
    }

    @Test func contentTypeGoesAlongOnlyWithContent() async throws {
        site.setRules { $0.contentType = .json }
        #expect(try await sent(site).headers[.contentType] == nil)
        try await site.post(["a": 1]).requireSuccess()
        #expect(echo.transport.lastRequest?.headers[.contentType] == "application/json")
    }

    @Test func aChildsContentTypeWinsAndCanBeMasked() {
        site.setRules { $0.contentType = .json }
        let child = site["a"]
        #expect(child.contentType == .json)
        child.setRules { $0.contentType = .text }
        #expect(child.contentType == .text)
        child.setRules { $0.contentType = nil }
        #expect(child.contentType == nil)
        #expect(site["b"]["c"].contentType == .json)
    }

    @Test func aFormIsAnsweredInJSON() {
        site.setRules { $0.contentType = .form }
        #expect(site.headers[.accept] == "application/json")
    }

    // MARK: with and configure

    @Test func withChangesOneRequestOnly() async throws {
        let quick = site["a"].with {
            $0.timeout = .seconds(5)
            $0.headers["X-Once"] = "yes"
            $0.query["q"] = 1
        }
        let request = try await sent(quick)
        #expect(request.deadlines.idle == .seconds(5))
        #expect(request.headers["X-Once"] == "yes")
        #expect(request.target == "/a?q=1")
        #expect(try await sent(site["a"]).headers["X-Once"] == nil)
        #expect(quick.parent?.url == site.url)
    }

    @Test func withSeesLaterChangesOfTheResource() async throws {
        let quick = site.with { $0.timeout = .seconds(5) }
        site.setRules { $0.headers["X-Late"] = "1" }
        #expect(try await sent(quick).headers["X-Late"] == "1")
    }

    @Test func configureIsSeenWholeOrNotAtAll() async {
        let site = site
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for index in 0..<2000 {
                    site.setRules {
                        $0.headers["X-A"] = "\(index)"
                        $0.headers["X-B"] = "\(index)"
                    }
                }
                return true
            }
            group.addTask {
                for _ in 0..<2000 {
                    let headers = site["x"].headers
                    if headers["X-A"] != headers["X-B"] { return false }
                }
                return true
            }
            for await isWhole in group { #expect(isWhole) }
        }
    }

    // MARK: Lists

    @Test func listsAddUpAndCanBeCutOff() async throws {
        site.setRules { $0.preflights = [{ $0.headers["X-Trace"] = "root" }] }
        let child = site["a"]
        child.setRules { $0.preflights.append { $0.headers["X-Trace"] = ($0.headers["X-Trace"] ?? "") + ",leaf" } }
        #expect(try await sent(child).headers["X-Trace"] == "root,leaf")
        #expect(site.preflights.count == 1)
        #expect(child.preflights.count == 2)
        child.setRules { $0.preflights = .replacing([]) }
        #expect(try await sent(child).headers["X-Trace"] == nil)
        child.setRules { $0.inherit(\.preflights) }
        #expect(try await sent(child).headers["X-Trace"] == "root")
    }

    @Test func otherSettingsAreInheritedToo() {
        site.setRules {
            $0.maxBodySize = 10
            $0.redirects = .none
            $0.queryStyle = QueryStyle(arrays: .repeated)
        }
        let child = site["a"]["b"]
        #expect(child.maxBodySize == 10)
        #expect(child.redirects == .none)
        #expect(child.queryStyle.arrays == .repeated)
        child.setRules { $0.maxBodySize = 20 }
        #expect(site.maxBodySize == 10)
    }
}
