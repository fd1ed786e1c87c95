// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCache
import CumulusTesting

// snippet.app
/// A part of an app that receives its resource, so that a test can pass another one.
struct Library: Sendable {
    let site: Resource

    func titles(by author: String) async throws -> [String] {
        try await site["authors/\(author)/books"].get(as: [String].self)
    }
}
// snippet.end

func withoutANetwork() async throws {
    let transport = StubTransport { routes in
        routes.on(.get, "/authors/:name/books", .json(["Notes"]))
    }
    let library = Library(site: Resource("https://library.example", transport: transport))
    let titles = try await library.titles(by: "Ada Lovelace")
    assert(titles == ["Notes"])
    assert(transport.lastRequest?.path == "/authors/Ada%20Lovelace/books")
}

// snippet.failing
func whenItFails() async throws {
    let transport = StubTransport { routes in
        routes.on(.get, "/authors/:name/books", .status(.serviceUnavailable), .json(["Notes"]))
    }
    let site = Resource("https://library.example", transport: transport)
    let clock = ManualClock()
    site.setRules { $0.clock = clock }
    let call = Task { try await Library(site: site).titles(by: "Ada") }
    try await clock.waitForSleepers()  // it waits before the retry
    assert(clock.timeToNextSleeper.map { $0 <= .milliseconds(300) } ?? false)  // no other wait comes first
    clock.advance(by: .seconds(1))
    let titles = try await call.value
    assert(titles == ["Notes"] && transport.requests.count == 2)
}
// snippet.end

// snippet.caching
func whenItIsCached() async throws {
    let transport = StubTransport { routes in
        routes.on(.get, "/authors/:name/books", .json(["Notes"], headers: ["Cache-Control": "max-age=60"]))
    }
    let clock = ManualClock()
    let site = Resource("https://library.example", transport: transport) {
        $0.clock = clock
        $0.cache = .memory(megabytes: 1)
    }
    let library = Library(site: site)
    _ = try await library.titles(by: "Ada")
    _ = try await library.titles(by: "Ada")
    assert(transport.requests.count == 1)  // the second one is from the cache
    clock.advance(by: .seconds(60))
    _ = try await library.titles(by: "Ada")
    assert(transport.requests.count == 2)  // it was stale
}
// snippet.end
