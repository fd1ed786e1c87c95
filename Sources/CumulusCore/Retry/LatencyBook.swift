// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The latencies of a tree's places, for hedging by percentile; unused without it.
final class LatencyBook: Sendable {
    /// The limit of separate places; the least recently used is removed first.
    static let mostPlaces = 128

    /// A path of an origin, or all of them.
    private struct Place: Hashable {
        let origin: Origin
        let path: String?
    }

    private struct Page {
        var sketch = LatencySketch()
        var used: UInt64 = 0
    }

    private struct State {
        var pages: [Place: Page] = [:]
        var uses: UInt64 = 0

        mutating func note(_ latency: Duration, of place: Place) {
            if pages.count >= LatencyBook.mostPlaces, pages[place] == nil,
                let oldest = pages.min(by: { $0.value.used < $1.value.used })
            {
                pages[oldest.key] = nil
            }
            uses += 1
            pages[place, default: Page()].used = uses
            pages[place, default: Page()].sketch.note(latency)
        }
    }

    private let state = Mutex(State())

    /// The number of places.
    var count: Int { state.withLock(\.pages.count) }

    /// Notes the latency of a response's head.
    func note(_ latency: Duration, of request: EncodedRequest) {
        state.withLock { state in
            state.note(latency, of: LatencyBook.place(request))
            state.note(latency, of: Place(origin: request.origin, path: nil))
        }
    }

    /// The latency within which a share of the responses arrived; `nil` if too few are known.
    func percentile(_ share: Double, of request: EncodedRequest) -> Duration? {
        state.withLock { state in
            state.pages[LatencyBook.place(request)]?.sketch.percentile(share)
                ?? state.pages[Place(origin: request.origin, path: nil)]?.sketch.percentile(share)
        }
    }

    private static func place(_ request: EncodedRequest) -> Place {
        Place(origin: request.origin, path: String(request.target.before("?")))
    }
}
