// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import TestSupport
import Testing

@testable import CumulusCore

/// Chains of resources of any length: neither their settings nor their release needs the stack.
@Suite(.timeLimit(.minutes(10))) struct LongChainTests {
    private static let length = 3_000

    /// Does work on a thread with little stack, as those of Apple's systems have; the work must not fail.
    private func withSmallStack(_ work: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work()) }
            thread.stackSize = 128 << 10
            thread.start()
        }
    }

    private static func site() -> Resource {
        Resource("http://a.example", transport: StubTransport { _ in .text("") }.watched) { $0.timeout = .seconds(7) }
    }

    @Test("a chain of children has its root's settings, and its rules")
    func children() async {
        let isRight = await withSmallStack {
            let site = Self.site()
            var place = site
            for _ in 0..<Self.length { place = place[segment: "a"] }
            let first = place.snapshot.value(TimeoutKey.self)
            site.setRules { $0.timeout = .seconds(8) }
            return first == .seconds(7) && place.snapshot.value(TimeoutKey.self) == .seconds(8)
        }
        #expect(isRight)
    }

    @Test("so does a chain below a path that is refused")
    func refusedPaths() async {
        let isRight = await withSmallStack {
            var place = Self.site()["/../"]
            for _ in 0..<Self.length { place = place["a"] }
            return place.snapshot.value(TimeoutKey.self) == .seconds(7) && !place.node.hasRules
        }
        #expect(isRight)
    }

    @Test("so does a chain of links from one origin to another, each with a setting of its own")
    func links() async {
        let isRight = await withSmallStack {
            var place = Self.site()
            for step in 0..<Self.length {
                guard let url = try? RequestURL("http://\(step.isMultiple(of: 2) ? "b" : "c").example/") else {
                    return false
                }
                place = Resource(place.node.following(url)).with { $0.timeout = .seconds(step) }
            }
            let own = Duration.seconds(Self.length - 1)
            return place.snapshot.value(TimeoutKey.self) == own && !place.explain(\.timeout).contributions.isEmpty
        }
        #expect(isRight)
    }

    @Test("a chain whose end is used by several threads at once is released whole")
    func concurrentRelease() async {
        for _ in 0..<20 {
            var place = Self.site()
            for _ in 0..<200 { place = place[segment: "a"] }
            let root = WeakReference(place.node.parent)
            let end = place
            place = Self.site()
            await withTaskGroup { group in
                for number in 0..<8 { group.addTask { _ = end[segment: "\(number)"].snapshot } }
            }
            withExtendedLifetime(end) { #expect(root.object != nil) }
        }
    }
}
