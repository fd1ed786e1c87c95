// SPDX-License-Identifier: Apache-2.0

/// The results of a full jar's last scan, so that it need not scan all cookies for each new one.
struct CookieEviction: Sendable {
    /// A cookie at the time of the scan.
    struct Candidate: Sendable {
        let domain: String
        let order: UInt64
        let use: UInt64
    }

    /// The earliest expiration of any cookie, in seconds since 1970.
    private(set) var firstEnd = Int64.max
    /// The cookies by their last use, the oldest at the end; cookies added or used since are newer than all of them.
    private(set) var candidates: [Candidate] = []
    /// How many cookies were scanned to find those to evict.
    private(set) var looks = 0

    /// Notes the expiration of a new cookie.
    mutating func note(end: Int64) { firstEnd = min(firstEnd, end) }

    /// Notes the earliest expiration, after a scan of this many cookies.
    mutating func settle(firstEnd end: Int64, looks count: Int) {
        firstEnd = end
        looks += count
    }

    /// Notes all cookies.
    mutating func line(up cookies: [Candidate]) {
        looks += cookies.count
        candidates = cookies.sorted { $0.use > $1.use }
    }

    /// The next candidate; `nil` if a new scan is needed.
    mutating func next() -> Candidate? {
        looks += 1
        return candidates.popLast()
    }
}
