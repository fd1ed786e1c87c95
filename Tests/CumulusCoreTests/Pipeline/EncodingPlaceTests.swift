// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Dispatch
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Values are never encoded on the calling actor.
@Suite(.timeLimit(.minutes(10))) struct EncodingPlaceTests {
    /// Records whether it was encoded on the main queue's thread.
    private struct Witness: Encodable, Sendable {
        let notes: Mutexed

        func encode(to encoder: any Encoder) throws {
            notes.note()
            var container = encoder.singleValueContainer()
            try container.encode("x")
        }
    }

    private final class Mutexed: Sendable {
        private let places = Mutex<[Bool]>([])
        var all: [Bool] { places.withLock(\.self) }
        func note() { places.withLock { $0.append(DispatchQueue.getSpecific(key: mark) == true) } }
    }

    private let site = Resource("http://a.example", transport: StubTransport { _ in .text("ok") }.watched)

    @Test @MainActor func theCallersActorDoesNotEncode() async throws {
        DispatchQueue.main.setSpecific(key: mark, value: true)
        #expect(DispatchQueue.getSpecific(key: mark) == true)
        let witness = Witness(notes: Mutexed())
        try await site.post(body: witness).requireSuccess()
        try await site.post(.json([witness])).requireSuccess()
        _ = try await site.call(.post, .value(witness)).stream()
        #expect(witness.notes.all == [false, false, false])
    }

    @Test @MainActor func mapRunsOffTheCallersActor() async throws { #expect(try await mapped().send()) }

    /// Whether the main actor runs other work during the change; made here, so that the closure doesn't belong to the
    /// main actor.
    nonisolated private func mapped() -> Call<Bool> {
        site.call(.get).map { _ in
            let done = DispatchSemaphore(value: 0)
            Task { @MainActor in done.signal() }
            return done.wait(timeout: .now() + 1_500) == .success
        }
    }

    /// Waits while it is encoded until the main actor has run other work.
    private struct Patient: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws {
            let done = DispatchSemaphore(value: 0)
            Task { @MainActor in done.signal() }
            var container = encoder.singleValueContainer()
            try container.encode(done.wait(timeout: .now() + 1_500) == .success)
        }
    }

    @Test @MainActor func theMainActorIsFreeWhileAValueIsEncoded() async throws {
        let echo = StubTransport { request in .bytes(request.body) }
        let site = Resource("http://a.example", transport: echo.watched)
        #expect(try await site.post(body: Patient()).text == "true")
    }
}

private let mark = DispatchSpecificKey<Bool>()
