// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import HTTPTypes
import Observation
import Synchronization
import Testing

@testable import CumulusCore

@MainActor @Suite(.timeLimit(.minutes(5))) struct ResourceObservationTests {
    @Test func propertiesFollowTheResource() async throws {
        let gate = Gate()
        let site = ObservedSite {
            if $0.number == 1 { try await gate.wait() }
            return $0.number == 2 ? .status(.notFound) : .json("\($0.number)")
        }
        let posts = site.site["n"].observe(as: Int.self)
        #expect(posts.isLoading && posts.value == nil)
        gate.open()
        // A refresh would send another GET if the first has ended.
        while posts.isLoading { await Task.yield() }
        #expect(posts.value == 1 && !posts.isLoading && posts.updatedAt != nil)
        await posts.refresh()
        #expect(posts.value == 1 && (posts.error as? CumulusError)?.statusCode == 404)
        await posts.refresh()
        #expect(posts.value == 3 && posts.error == nil)
    }

    @Test func responseToAnotherGETIsShown() async throws {
        let site = ObservedSite()
        let posts = site.site["n"].observe(as: Int.self)
        while posts.isLoading { await Task.yield() }
        let changed = Gate()
        withObservationTracking {
            _ = posts.value
        } onChange: {
            changed.open()
        }
        _ = try await site.site["n"].get(as: Int.self)
        try await changed.wait()
        while posts.value != 2 { await Task.yield() }
    }

    @Test func viewsOfTheValueAreNotUpdatedWithoutAnotherOne() async throws {
        let site = ObservedSite { $0.number == 1 ? .json("1") : .status(.notFound) }
        let posts = site.site["n"].observe(as: Int.self)
        while posts.isLoading { await Task.yield() }
        let changes = Mutex(0)
        withObservationTracking {
            _ = posts.value
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        await posts.refresh()
        #expect(posts.error != nil && changes.withLock(\.self) == 0)
    }

    @Test func observationEndsWithItsObject() async throws {
        let site = ObservedSite()
        var posts: ResourceObservation<Int>? = site.site["n"].observe(as: Int.self)
        await posts?.refresh()
        let object = WeakReference(posts)
        posts = nil
        #expect(object.object == nil)
        while site.isObserved { await Task.yield() }
    }
}
