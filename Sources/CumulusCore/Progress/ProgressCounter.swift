// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts a body's bytes and tells the observers.
final class ProgressCounter: Sendable {
    private let meter: Mutex<ProgressMeter>
    private let observers: SettingList<ProgressObserver>
    private let clock: any RequestClock

    init(_ subject: ProgressMeter.Subject, observers: SettingList<ProgressObserver>, clock: any RequestClock) {
        self.observers = observers
        self.clock = clock
        meter = Mutex(ProgressMeter(subject, startedAt: clock.now))
    }

    func begin() { tell(meter.withLock(\.first)) }

    func count(_ bytes: Int) {
        let now = clock.now
        if let event = meter.withLock({ $0.advance(by: bytes, at: now) }) { tell(event) }
    }

    func finish() {
        let now = clock.now
        tell(meter.withLock { $0.finish(at: now) })
    }

    private func tell(_ event: TransferProgress) { for observer in observers { observer(event) } }
}

/// A response's body whose bytes are counted as they are read.
final class CountedBody: ResponseBodySource {
    private let body: ResponseBody
    private let counter: ProgressCounter

    init(_ body: ResponseBody, _ counter: ProgressCounter) {
        self.body = body
        self.counter = counter
        counter.begin()
    }

    func next() async throws -> ResponseBodyElement {
        if let chunk = try await body.next() {
            counter.count(chunk.count)
            return .bytes(chunk)
        }
        counter.finish()
        return .end(body.end ?? ExchangeEnd())
    }

    func cancel() { body.cancel() }
}
