// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// A run through pages consists of normal calls, in sequence.
@Suite struct PagesTests {
    private struct Entry: Codable, Sendable, Equatable {
        let entryName: String
    }

    private static var snakeCase: JSON.DecodingStrategies {
        var strategies = JSON.DecodingStrategies()
        strategies.keys = .convertFromSnakeCase
        return strategies
    }

    /// A server with this many pages of two entries each.
    private static func transport(_ count: Int) -> StubTransport {
        StubTransport { request in
            let page = Query(parsing: request.query ?? "")["page"]?.queryValue.string.flatMap(Int.init) ?? 1
            let body: JSON = [["entry_name": .string("\(page)a")], ["entry_name": .string("\(page)b")]]
            let link = "<\(request.path)?page=\(page + 1)>; rel=next"
            return .json(body, headers: page < count ? ["Link": link] : [:])
        }
    }

    @Test func pagesHaveItemsResponseAndNumber() async throws {
        let transport = Self.transport(3)
        let site = Resource("http://a.example", transport: transport.watched)
        var seen: [String] = []
        for try await page in site["entries"].pages(of: JSON.self).byPage {
            seen.append("\(page.number) \(page.items.count) \(page.response.statusCode) \(page.next?.target ?? "-")")
        }
        #expect(seen == ["1 2 200 /entries?page=2", "2 2 200 /entries?page=3", "3 2 200 -"])
        // A second loop starts at the first page.
        let pages = site["entries"].pages(of: JSON.self, maxPages: 1)
        for _ in 1...2 {
            for try await page in pages.byPage { #expect(page.number == 1) }
        }
        #expect(transport.requests.count == 5)
    }

    @Test func aRunGoesOnFromAPageThatWasKept() async throws {
        let site = Resource("http://a.example", transport: Self.transport(4).watched)
        var next: RequestURL?
        for try await page in site["entries"].pages(of: JSON.self, maxPages: 2).byPage { next = page.next }
        var names: [String?] = []
        let rest = site["entries"].follow(try #require(next)).pages(of: JSON.self)
        for try await entry in rest { names.append(entry["entry_name"].string) }
        #expect(names == ["3a", "3b", "4a", "4b"])
    }

    @Test("the call's own fields go with each page of the origin that it was made for")
    func fieldsOfTheCall() async throws {
        let transport = Self.transport(3)
        let site = Resource("http://a.example", transport: transport.watched)
        for start in [site["entries"], site.follow("http://b.example/entries")] {
            for try await _ in start.pages(of: JSON.self, headers: ["X-Call": "1"]) {}
        }
        #expect(transport.requests.count == 6)
        #expect(transport.requests.allSatisfy { $0.headers["X-Call"] == "1" })
    }

    @Test func settingsOfThePlaceHoldForEachPage() async throws {
        let transport = Self.transport(2)
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.credentials = Credentials(user: "ada", password: "secret")
            $0.query["key"] = "k"
        }
        let entries = site["entries"]
        entries.setRules { $0.headers["X-Team"] = "blue" }
        let seen = Mutex(0)
        entries.setRules {
            $0.postProcessors.append { value, _ in
                seen.withLock { $0 += (value as? [Entry])?.count ?? 0 }
                return value
            }
            $0.coders.registerJSON(JSONCoder(decoding: Self.snakeCase))
        }
        var names: [String] = []
        for try await entry in entries.pages(of: Entry.self, headers: ["X-Call": "1"]) { names.append(entry.entryName) }
        #expect(names == ["1a", "1b", "2a", "2b"])
        #expect(seen.withLock { $0 } == 4)
        for request in transport.requests {
            #expect(request.headers[.authorization]?.hasPrefix("Basic ") == true)
            #expect(request.headers["X-Team"] == "blue")
            #expect(request.headers["X-Call"] == "1")
            #expect(request.query?.contains("key=k") == true)
        }
    }

    @Test func itemsInsideABodyAreReadByThePlacesCoder() async throws {
        let transport = StubTransport { _ in .json(["data": [["entry_name": "x"]]]) }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.coders.registerJSON(JSONCoder(decoding: Self.snakeCase))
        }
        for try await entry in site.pages(of: Entry.self) { #expect(entry == Entry(entryName: "x")) }
    }

    @Test func aTypesOwnMapFindsItsList() async throws {
        let transport = StubTransport { _ in .json(["all": ["of": [["n": "x"]]], "also": [1]]) }
        let site = Resource("http://a.example", transport: transport.watched)
        let path = try FieldPath(parsing: "all.of")
        site.setRules { $0.coders.register([.field("entryName", at: "n")], for: Entry.self, root: path) }
        var names: [String] = []
        for try await entry in site.pages(of: Entry.self) { names.append(entry.entryName) }
        #expect(names == ["x"])
    }

    @Test func bigNumbersStayWhole() async throws {
        let transport = StubTransport { _ in .json(#"{"data": [{"id": 12345678901234567890123.5}]}"#) }
        for try await item in Resource("http://a.example", transport: transport.watched).pages(of: JSON.self) {
            #expect(item["id"].number?.text == "12345678901234567890123.5")
        }
    }

    @Test func aFailingPageComesBehindWhatCameBefore() async throws {
        let transport = StubTransport { request in
            request.query == nil
                ? .json([1, 2], headers: ["Link": "<?page=2>; rel=next"]) : .status(.internalServerError)
        }
        let site = Resource("http://a.example", transport: transport.watched) { $0.retry = .never }
        var reader = site.pages(of: Int.self).makeAsyncIterator()
        #expect(try await reader.next() == 1)
        #expect(try await reader.next() == 2)
        await #expect { _ = try await reader.next() } throws: { ($0 as? CumulusError)?.statusCode == 500 }
        #expect(try await reader.next() == nil)
    }

    @Test func eachPageIsTriedAgain() async throws {
        let calls = Mutex(0)
        let transport = StubTransport { request in
            guard request.query != nil else { return .json([1], headers: ["Link": "<?page=2>; rel=next"]) }
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            return call == 1 ? .status(.serviceUnavailable) : .json([2])
        }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.retry = RetryPolicy(backoff: RetryBackoff(base: .zero))
        }
        var items: [Int] = []
        for try await item in site.pages(of: Int.self) { items.append(item) }
        #expect(items == [1, 2])
        #expect(calls.withLock { $0 } == 2)
    }

    @Test func noSlotIsHeldWhileAnItemIsInUse() async throws {
        let transport = Self.transport(3)
        let site = Resource("http://a.example", transport: transport.watched) { $0.maxConcurrentRequests = 1 }
        var count = 0
        for try await _ in site["entries"].pages(of: JSON.self) {
            #expect(try await site["other"].get().statusCode == 200)
            count += 1
        }
        #expect(count == 6)
    }

    @Test func theDeadlineCountsForEachPage() async throws {
        let clock = ManualClock()
        let transport = StubTransport { request in
            clock.advance(by: .seconds(4))
            return .json([1], headers: request.number < 3 ? ["Link": "<?page=\(request.number)>; rel=next"] : [:])
        }
        let site = Resource("http://a.example", transport: transport.watched) {
            $0.clock = clock
            $0.deadline = .seconds(5)
        }
        #expect(try await site.pages(of: Int.self).reduce(0, +) == 3)
    }
}
