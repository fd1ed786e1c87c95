// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The taps of a body, of which each hears of one end.
final class StoreTaps: Sendable {
    private let taps: [any BodyTap]
    private let isOver = Atomic(false)

    init(_ taps: [any BodyTap]) { self.taps = taps }

    deinit { abandon() }

    func receive(_ bytes: ByteChunk) async {
        if isOver.load(ordering: .relaxed) { return }
        for tap in taps { await tap.receive(bytes) }
    }

    func finish(_ end: ExchangeEnd) async {
        if isOver.exchange(true, ordering: .relaxed) { return }
        for tap in taps { await tap.finish(end) }
    }

    func abandon() {
        if isOver.exchange(true, ordering: .relaxed) { return }
        for tap in taps { tap.abandon() }
    }
}

/// A body whose bytes the stores see as well.
final class TappedBody: ResponseBodySource {
    private let body: ResponseBody
    private let taps: StoreTaps

    init(_ body: ResponseBody, _ taps: StoreTaps) {
        self.body = body
        self.taps = taps
    }

    func next() async throws -> ResponseBodyElement {
        do {
            if let chunk = try await body.next() {
                await taps.receive(chunk)
                return .bytes(chunk)
            }
        } catch {
            taps.abandon()
            throw error
        }
        let end = body.end ?? ExchangeEnd()
        await taps.finish(end)
        return .end(end)
    }

    func cancel() {
        taps.abandon()
        body.cancel()
    }
}
