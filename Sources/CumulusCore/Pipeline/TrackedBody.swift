// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Synchronization

/// A streamed body, whose request counts as running until the body ends or is dropped.
final class TrackedBody: ResponseBodySource, CancellableExchange {
    private let received: AttemptLoop.ReceivedResponse
    private let clock: any RequestClock
    private let held = Mutex<CallRegistration?>(nil)

    init(_ received: AttemptLoop.ReceivedResponse, on clock: any RequestClock) {
        self.received = received
        self.clock = clock
    }

    deinit { dropRegistration() }

    private var body: ResponseBody { received.response.body }

    /// Keeps the request running until the body's end.
    ///
    /// - Throws: `CancellationError` if the request has been cancelled.
    func attach(_ registration: CallRegistration) throws {
        guard registration.listing.attach(WeakExchange(self)) else {
            body.cancel()
            throw CancellationError()
        }
        held.withLock { $0 = registration }
    }

    func next() async throws -> ResponseBodyElement {
        do {
            if let chunk = try await body.next() {
                received.call.observation?.read(chunk.count)
                return .bytes(chunk)
            }
            try release()?.complete()
            return .end(body.end ?? ExchangeEnd())
        } catch {
            let failure = failure(error)
            throw release()?.fail(failure) ?? failure
        }
    }

    /// The reader's error, with the exchanges of the call.
    private func failure(_ error: any Error) -> any Error {
        let described = Stage.describe(error, .delivery, .transport, request: received.request)
        received.breakOff(described, at: clock.moment)
        return received.call.record.completed(described, at: clock.moment)
    }

    func cancel() {
        body.cancel()
        dropRegistration()
    }

    // The request stays in the list until its reader has seen the end.
    func cancelExchange() { body.cancel() }

    private func dropRegistration() { release()?.drop() }

    private func release() -> CallRegistration? {
        held.withLock { held in
            defer { held = nil }
            return held
        }
    }

    /// A weak reference, so that the list doesn't retain a body that its reader has dropped.
    private final class WeakExchange: CancellableExchange {
        private let body: WeakReference<TrackedBody>

        init(_ body: TrackedBody) { self.body = WeakReference(body) }

        func cancelExchange() { body.object?.cancelExchange() }
    }
}
