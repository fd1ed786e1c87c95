// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCache

@Suite(.timeLimit(.minutes(5))) struct ObservedCacheTests {
    @Test("a response that the cache renews in the background is shown, and asks the server once", arguments: [10, 0])
    func renewedResponse(lifetime: Int) async throws {
        let site = CachedSite { request in
            let directives = "max-age=\(lifetime), stale-while-revalidate=100"
            let headers: Headers = [.contentType: "application/json", .cacheControl: directives]
            return .response(headers: headers, body: Array("\(request.number)".utf8))
        }
        let place = site.site["x"]
        let updates = place.updates(as: Int.self)
        for await state in updates where state.value == 1 { break }
        site.clock.advance(by: .seconds(20))
        #expect(try await place.get(as: Int.self) == 1)
        for await state in updates where state.value == 2 { break }
        await site.site.waitUntilIdle()
        #expect(updates.current.value == 2 && updates.current.error == nil)
        #expect(site.count == 2)
    }
}
