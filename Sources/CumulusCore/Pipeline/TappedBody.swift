// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The taps of a body.
///
/// Each tap is notified of the end once.
final class StoreTaps: Sendable {
    private let taps: [any BodyTap]
    private let isOver = Atomic(false)
    /// The end of the body as it was received; `nil` until then.
    private let end = Mutex<ExchangeEnd?>(nil)

    init(_ taps: [any BodyTap]) { self.taps = taps }

    deinit { abandon() }

    func receive(_ bytes: ByteChunk) async {
        for tap in taps where !isOver.load(ordering: .relaxed) { await tap.receive(bytes) }
    }

    /// Records that all bytes have been received.
    ///
    /// It is not known yet whether they can be decoded.
    func note(_ received: ExchangeEnd) { end.withLock { $0 = received } }

    /// Finishes the taps if all of the body has been received; otherwise abandons them.
    func finish() async {
        guard let end = end.withLock(\.self) else { return abandon() }
        await finish(end)
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

/// A body that passes its bytes to the stores, its end after decoding, or both.
final class TappedBody: ResponseBodySource {
    /// The part of the body that the stores receive.
    enum Part {
        case bytes, end, all
    }

    private let body: ResponseBody
    private let taps: StoreTaps
    private let part: Part

    init(_ body: ResponseBody, _ taps: StoreTaps, _ part: Part) {
        self.body = body
        self.taps = taps
        self.part = part
    }

    func next() async throws -> ResponseBodyElement {
        do {
            if let chunk = try await body.next() {
                if part != .end { await taps.receive(chunk) }
                return .bytes(chunk)
            }
        } catch {
            taps.abandon()
            throw error
        }
        let end = body.end ?? ExchangeEnd()
        switch part {
        case .bytes: taps.note(end)
        case .end: await taps.finish()
        case .all: await taps.finish(end)
        }
        return .end(end)
    }

    func cancel() {
        taps.abandon()
        body.cancel()
    }
}

extension TransportResponse {
    /// The same response with a body that notifies the stores.
    func tapped(by taps: StoreTaps, _ part: TappedBody.Part) -> TransportResponse {
        TransportResponse(head: head, body: body.wrapped(by: TappedBody(body, taps, part)))
    }
}
