// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The instruments of a metric, by their labels: a factory would have to compare the labels of each recorded value.
final class LabelTable<Labels: Hashable & Sendable, Instrument: Sendable>: Sendable {
    private let instruments = Mutex<[Labels: Instrument]>([:])
    private let dimensions: @Sendable (Labels) -> [(String, String)]
    private let make: @Sendable ([(String, String)]) -> Instrument
    private let overflow = Mutex<Instrument?>(nil)
    private let limit: Int

    init(
        limit: Int = 2_000,
        _ dimensions: @escaping @Sendable (Labels) -> [(String, String)],
        make: @escaping @Sendable ([(String, String)]) -> Instrument
    ) {
        (self.limit, self.dimensions, self.make) = (limit, dimensions, make)
    }

    /// The instrument of some labels; above the limit, the one for all others.
    subscript(labels: Labels) -> Instrument {
        let (known, isFull) = instruments.withLock { ($0[labels], $0.count >= limit) }
        if let known { return known }
        if isFull {
            return overflow.withLock { overflow in
                let instrument = overflow ?? make([("otel.metric.overflow", "true")])
                overflow = instrument
                return instrument
            }
        }
        // Made outside the lock, since it is the code of a factory; an instrument that is made twice is the same.
        let made = make(dimensions(labels))
        return instruments.withLock { instruments in
            if let known = instruments[labels] { return known }
            instruments[labels] = made
            return made
        }
    }
}
