// SPDX-License-Identifier: Apache-2.0

/// A rate limit's permit for a request; each is ended once, with one of its three methods.
struct RateLimiterPermit: Sendable {
    private let limiter: RateLimiter
    private let origin: Origin
    private let clock: any RequestClock

    init(_ limiter: RateLimiter, _ origin: Origin, _ clock: any RequestClock) {
        self.limiter = limiter
        self.origin = origin
        self.clock = clock
    }

    /// The request isn't sent after all.
    func giveBack() {
        limiter.change(origin, on: clock) { line in
            line.giveBack()
            return false
        }
    }

    /// The request has ended without a response.
    func failed() {
        limiter.change(origin, on: clock) { line in
            line.fail()
            return false
        }
    }

    /// The response to the request has arrived.
    func received(_ head: ResponseHead) { limiter.received(head, of: origin, on: clock) }
}

/// The observers of a server's quota; protected by their limiter's lock.
struct QuotaObservers: Sendable {
    private var next = 0
    private var streams: [Int: (origin: Origin, stream: AsyncStream<RequestQuota>.Continuation)] = [:]

    mutating func add(_ stream: AsyncStream<RequestQuota>.Continuation, of origin: Origin) -> Int {
        next += 1
        streams[next] = (origin, stream)
        return next
    }

    mutating func remove(_ number: Int) { streams[number] = nil }

    func tell(_ quota: RequestQuota, of origin: Origin) {
        for entry in streams.values where entry.origin == origin { entry.stream.yield(quota) }
    }
}
