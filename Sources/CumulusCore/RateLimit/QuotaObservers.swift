// SPDX-License-Identifier: Apache-2.0

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
