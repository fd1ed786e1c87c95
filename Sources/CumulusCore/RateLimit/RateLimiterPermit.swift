// SPDX-License-Identifier: Apache-2.0

/// A rate limit's permit for a request; each is ended once, with one of its three methods.
struct RateLimiterPermit: Sendable {
    private let limiter: RateLimiter
    private let line: RateLimiter.Line
    private let clock: any RequestClock

    init(_ limiter: RateLimiter, _ line: RateLimiter.Line, _ clock: any RequestClock) {
        self.limiter = limiter
        self.line = line
        self.clock = clock
    }

    /// The request isn't sent after all.
    func giveBack() {
        limiter.change(line, on: clock) { state in
            state.giveBack()
            return false
        }
    }

    /// The request has ended without a response.
    func failed() {
        limiter.change(line, on: clock) { state in
            state.fail()
            return false
        }
    }

    /// The response to the request has arrived.
    func received(_ head: ResponseHead) { limiter.received(head, of: line, on: clock) }
}

/// The permits of a request: that of the rate, if there is one, and that of the user's quota.
struct RequestPermit: Sendable {
    let rate: RateLimiterPermit?
    let quota: RateLimiterPermit

    /// The request isn't sent after all.
    func giveBack() {
        rate?.giveBack()
        quota.giveBack()
    }

    /// The request has ended without a response.
    func failed() {
        rate?.failed()
        quota.failed()
    }

    /// The response to the request has arrived.
    func received(_ head: ResponseHead) {
        rate?.failed()
        quota.received(head)
    }
}

/// The observers of a server's quota; protected by their limiter's lock.
struct QuotaObservers: Sendable {
    private var next = 0
    private var streams: [Int: (line: RateLimiter.Line, stream: AsyncStream<RequestQuota>.Continuation)] = [:]

    mutating func add(_ stream: AsyncStream<RequestQuota>.Continuation, of line: RateLimiter.Line) -> Int {
        next += 1
        streams[next] = (line, stream)
        return next
    }

    mutating func remove(_ number: Int) { streams[number] = nil }

    func tell(_ quota: RequestQuota, of line: RateLimiter.Line) {
        for entry in streams.values where entry.line == line { entry.stream.yield(quota) }
    }
}
