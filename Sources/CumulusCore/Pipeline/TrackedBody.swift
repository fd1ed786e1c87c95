// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A streamed body: its request runs until it ends or is dropped.
final class TrackedBody: ResponseBodySource, CancellableExchange {
    private let body: ResponseBody
    private let observation: CallObservation?
    /// What the reader gets for an error of the body.
    private let describe: @Sendable (any Error) -> any Error
    private let held = Mutex<RequestRegistration?>(nil)

    init(
        _ body: ResponseBody,
        _ observation: CallObservation?,
        describe: @escaping @Sendable (any Error) -> any Error
    ) {
        self.body = body
        self.observation = observation
        self.describe = describe
    }

    deinit { letGo() }

    var expectedLength: Int64? { body.expectedLength }

    /// Keeps the request running until the body's end.
    ///
    /// - Throws: `CancellationError` if the request has been cancelled.
    func attach(_ registration: RequestRegistration) throws {
        guard registration.listing.attach(Weakly(self)) else {
            body.cancel()
            throw CancellationError()
        }
        held.withLock { $0 = registration }
    }

    func next() async throws -> ResponseBodyElement {
        do {
            if let chunk = try await body.next() {
                observation?.read(chunk.count)
                return .bytes(chunk)
            }
            try release()?.complete()
            return .end(body.end ?? ExchangeEnd())
        } catch {
            let described = describe(error)
            throw release()?.fail(described) ?? described
        }
    }

    func cancel() {
        body.cancel()
        letGo()
    }

    // The request stays in the list until its reader has seen the end.
    func cancelExchange() { body.cancel() }

    private func letGo() { release()?.drop() }

    private func release() -> RequestRegistration? {
        held.withLock { held in
            defer { held = nil }
            return held
        }
    }

    /// A weak reference, so that the list doesn't keep a body alive that its reader has dropped.
    private final class Weakly: CancellableExchange {
        private let body: WeakBody

        init(_ body: TrackedBody) { self.body = WeakBody(body) }

        func cancelExchange() { body.value?.cancelExchange() }
    }

    private struct WeakBody: Sendable {
        weak let value: TrackedBody?

        init(_ value: TrackedBody) { self.value = value }
    }
}
