// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

@Suite(.timeLimit(.minutes(5))) struct ObservedResourceTests {
    // MARK: Shown values

    @Test func valueFollowsTheFirstState() async throws {
        let gate = Gate()
        let site = ObservedSite { _ in
            try await gate.wait()
            return .json("1")
        }
        let updates = site.site["n"].updates(as: Int.self)
        #expect(updates.current.isLoading && updates.current.value == nil && updates.current.updatedAt == nil)
        gate.open()
        let state = try await updates.settled
        #expect(state.value == 1 && state.error == nil && state.updatedAt != nil)
        #expect(site.transport.lastRequest?.headers[.accept] == "application/json")
    }

    @Test func responseToAnotherGETIsShown() async throws {
        let site = ObservedSite()
        let updates = site.site["n"].updates(as: Int.self)
        #expect(try await updates.settled.value == 1)
        #expect(try await site.site["n"].get(as: Int.self) == 2)
        #expect(try await updates.first { $0.value == 2 }.error == nil)
        #expect(site.count == 2)
    }

    @Test func responsesToOtherRequestsAreNotShown() async throws {
        let site = ObservedSite()
        let n = site.site["n"]
        let updates = n.updates(as: Int.self, query: ["page": 1])
        _ = try await updates.settled
        _ = try await n.get(as: Int.self)
        _ = try await n.get(as: Int.self, query: ["page": 2])
        _ = try await n.get(as: Int.self, query: ["page": 1], headers: ["Accept-Language": "de"])
        _ = try await n.get(as: Int.self, query: ["page": 1], headers: [.accept: "application/cbor, application/json"])
        _ = try await n.post(body: 1, as: Int.self)
        _ = try await n.with { $0.credentials = Credentials(user: "ada", password: "x") }.get(
            as: Int.self,
            query: ["page": 1]
        )
        _ = try await n.with { $0.interceptors.append { try await $1($0) } }.get(as: Int.self, query: ["page": 1])
        _ = try await site.site["m"].get(as: Int.self, query: ["page": 1])
        #expect(updates.current.value == 1 && !updates.current.isLoading)
        _ = try await n.get(as: Int.self, query: ["page": 1])
        #expect(try await updates.first { $0.value != 1 }.value == site.count)
    }

    @Test func responseThatDoesNotDecodeIsNotShown() async throws {
        let site = ObservedSite { $0.number == 2 ? .json(#""x""#) : .json("\($0.number)") }
        let updates = site.site["n"].updates(as: Int.self)
        _ = try await updates.settled
        #expect(try await site.site["n"].get(as: JSON.self) == "x")
        let state = try await updates.settled
        #expect(state.value == 1 && state.error == nil)
    }

    @Test func valueStaysNextToALaterError() async throws {
        let site = ObservedSite { $0.number == 2 ? .status(.notFound) : .json("\($0.number)") }
        let updates = site.site["n"].updates(as: Int.self)
        let first = try await updates.settled
        await updates.refresh()
        #expect(updates.current.value == 1 && updates.current.updatedAt == first.updatedAt)
        #expect((updates.current.error as? CumulusError)?.statusCode == 404)
        await updates.refresh()
        #expect(updates.current.value == 3 && updates.current.error == nil)
    }

    @Test func valueThatDoesNotDecodeIsAnError() async throws {
        let site = ObservedSite { _ in .json("[]") }
        let state = try await site.site["n"].updates(as: Int.self).settled
        #expect(state.value == nil && (state.error as? CumulusError)?.code == .decoding)
    }

    @Test func requestThatCannotBeSentIsAnError() async throws {
        let site = ObservedSite()
        let state = try await Resource("nowhere", transport: site.transport).updates(as: Int.self).settled
        #expect((state.error as? CumulusError)?.code == .invalidURL)
    }

    @Test func cancelledGETIsNoError() async throws {
        let arrived = Gate()
        let site = ObservedSite { request in
            if request.number == 2 {
                arrived.open()
                try await Gate().wait()
            }
            return .json("\(request.number)")
        }
        let updates = site.site["n"].updates(as: Int.self)
        _ = try await updates.settled
        async let refreshed: Void = updates.refresh()
        try await arrived.wait()
        #expect(site.site.cancelAll() == 1)
        await refreshed
        #expect(updates.current.value == 1 && updates.current.error == nil && !updates.current.isLoading)
    }

    @Test func notModifiedConfirmsTheValue() async throws {
        let site = ObservedSite { request in
            request.headers[.ifNoneMatch] == "\"1\""
                ? .status(.notModified)
                : .response(headers: [.contentType: "application/json", .eTag: "\"1\""], body: [0x37])
        }
        site.site.setRules { $0.tracksRevisions = true }
        let updates = site.site["n"].updates(as: Int.self)
        #expect(try await updates.settled.value == 7)
        site.clock.advance(by: .seconds(60))
        await updates.refresh(ifOlderThan: .seconds(30))
        #expect(site.count == 2)
        #expect(updates.current.value == 7 && updates.current.error == nil)
        await updates.refresh(ifOlderThan: .seconds(30))
        #expect(site.count == 2)
    }

    @Test func ageInACacheCounts() async throws {
        let site = ObservedSite {
            .response(headers: [.contentType: "application/json", .age: "50"], body: Array("\($0.number)".utf8))
        }
        let updates = site.site["n"].updates(as: Int.self)
        let state = try await updates.settled
        #expect(try #require(state.updatedAt).timeIntervalSinceNow <= -50)
        await updates.refresh(ifOlderThan: .seconds(60))
        #expect(site.count == 1)
        await updates.refresh(ifOlderThan: .seconds(40))
        #expect(site.count == 2)
    }

    @Test(arguments: ["", "x", "-1", "99999999999999999999", "9223372036854775807"])
    func strangeAgesAreHarmless(age: String) async throws {
        let site = ObservedSite { _ in
            .response(headers: [.contentType: "application/json", .age: "\(age)"], body: [0x31])
        }
        #expect(try await site.site["n"].updates(as: Int.self).settled.value == 1)
    }

    // MARK: Sharing

    @Test func thousandObserversShareOneGET() async throws {
        let site = ObservedSite()
        do {
            let all = (0..<1_000).map { _ in site.site["n"].updates(as: Int.self) }
            for updates in all { #expect(try await updates.settled.value == 1) }
            await all[0].refresh()
            for updates in all { #expect(updates.current.value == 2) }
            #expect(site.count == 2)
            #expect(site.isObserved)
        }
        #expect(!site.isObserved)
    }

    @Test func typesAndSettingsAreObservedApart() async throws {
        let site = ObservedSite()
        let number = site.site["n"].updates(as: Int.self)
        let json = site.site["n"].updates(as: JSON.self)
        let other = site.site["n"].with {
            $0.postProcessors.append { value, _ in (value as? Int).map { $0 + 100 } ?? value }
        }
        .updates(as: Int.self)
        _ = try await (number.settled, json.settled, other.settled)
        await number.refresh()
        #expect(number.observed !== other.observed && site.count == 4)
        #expect(try await number.first { $0.value == 4 }.value == 4)
        #expect(try await json.first { $0.value == 4 }.value == 4)
        #expect(try await other.first { $0.value == 104 }.value == 104)
    }

    @Test func observersComeAndGoAtOnce() async throws {
        let site = ObservedSite()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                // The same request with other settings, so that each search finds the others' resources.
                let place = site.site["n"].with { $0.postProcessors.append { value, _ in value } }
                group.addTask { for _ in 0..<500 { _ = place.updates(as: Int.self) } }
            }
        }
        #expect(!site.isObserved)
    }

    @Test func observationEndsItsGETWithTheLastObserver() async throws {
        let arrived = Gate()
        let cancelled = Gate()
        let site = ObservedSite { _ in
            arrived.open()
            await withTaskCancellationHandler {
                try? await Gate().wait()
            } onCancel: {
                cancelled.open()
            }
            return .json("1")
        }
        do {
            let updates = site.site["n"].updates(as: Int.self)
            try await arrived.wait()
            #expect(updates.current.isLoading)
        }
        try await cancelled.wait()
        await site.site.waitUntilIdle()
        #expect(!site.isObserved)
    }

    @Test func loopEndsWithItsTask() async throws {
        let site = ObservedSite()
        let seen = Gate()
        let task = Task {
            for await state in site.site["n"].updates(as: Int.self) where state.value != nil { seen.open() }
        }
        try await seen.wait()
        task.cancel()
        await task.value
        #expect(!site.isObserved)
    }

    @Test func slowReaderGetsTheLatestState() async throws {
        let site = ObservedSite()
        let updates = site.site["n"].updates(as: Int.self)
        var reader = updates.makeAsyncIterator()
        _ = await reader.next()
        for _ in 0..<10 { await updates.refresh() }
        #expect(await reader.next()?.value == site.count)
    }

    // MARK: Reloading

    @Test func writeChangesNothingUntilTheValueIsInvalidated() async throws {
        let site = ObservedSite()
        let updates = site.site["n"].updates(as: Int.self)
        _ = try await updates.settled
        try await site.site["n"].put(body: 5).requireSuccess()
        #expect(updates.current.value == 1 && !updates.current.isLoading)
        site.site["n"].invalidate()
        #expect(try await updates.settled.value == 3)
        #expect(site.transport.lastRequest?.headers[.cacheControl] == "no-cache")
    }

    @Test func invalidatingReachesThePlaceAndThoseBelow() async throws {
        let site = ObservedSite { .json(#""\#($0.path)""#) }
        let places = ["posts", "posts/1", "posts/1/notes", "postscript", "users"]
        let all = places.map { site.site[path: $0].updates(as: String.self) }
        for updates in all { _ = try await updates.settled }
        let before = site.count
        site.site["posts"].invalidate()
        for updates in all { _ = try await updates.settled }
        #expect(site.transport.requests[before...].map(\.path).sorted() == ["/posts", "/posts/1", "/posts/1/notes"])
        site.site.invalidate()
        for updates in all { _ = try await updates.settled }
        #expect(site.count == before + 3 + 5)
    }

    @Test func invalidatingReplacesAGETThatMayBeFromBeforeTheChange() async throws {
        let arrived = Gate()
        let site = ObservedSite { request in
            if request.number == 1 {
                arrived.open()
                try? await Gate().wait()
            }
            return .json("\(request.number)")
        }
        let updates = site.site["n"].updates(as: Int.self)
        try await arrived.wait()
        site.site["n"].invalidate()
        #expect(try await updates.settled.value == 2)
        #expect(updates.current.error == nil)
    }

    @Test func invalidatingDuringAReloadIsFollowedByOneMore() async throws {
        let arrived = Gate()
        let (second, third) = (Gate(), Gate())
        let site = ObservedSite { request in
            if request.number == 2 {
                arrived.open()
                try await second.wait()
            }
            if request.number == 3 { try await third.wait() }
            return .json("\(request.number)")
        }
        let updates = site.site["n"].updates(as: Int.self)
        _ = try await updates.settled
        site.site.invalidate()
        try await arrived.wait()
        for _ in 0..<1_000 { site.site.invalidate() }
        second.open()
        let state = try await updates.first { $0.value != 1 }
        #expect(state.value == 2 && state.isLoading)
        third.open()
        #expect(try await updates.settled.value == 3)
        #expect(site.count == 3)
        #expect(site.transport.lastRequest?.headers[.cacheControl] == "no-cache")
    }

    @Test func refreshWaitsForTheGETThatIsRunning() async throws {
        let gate = Gate()
        let site = ObservedSite { request in
            try await gate.wait()
            return .json("\(request.number)")
        }
        let updates = site.site["n"].updates(as: Int.self)
        async let refreshed: Void = updates.refresh()
        gate.open()
        await refreshed
        #expect(updates.current.value == 1 && site.count == 1)
    }

    @Test func olderResponseIsNotShownOverANewerOne() async throws {
        let arrived = Gate()
        let gate = Gate()
        let site = ObservedSite { request in
            if request.number == 2 {
                arrived.open()
                try await gate.wait()
            }
            return .json("\(request.number)")
        }
        let updates = site.site["n"].updates(as: Int.self)
        _ = try await updates.settled
        site.clock.advance(by: .seconds(1))
        async let older = site.site["n"].get(as: Int.self)
        try await arrived.wait()
        site.clock.advance(by: .seconds(1))
        await updates.refresh()
        #expect(updates.current.value == 3)
        gate.open()
        #expect(try await older == 2)
        #expect(try await updates.settled.value == 3)
    }
}
