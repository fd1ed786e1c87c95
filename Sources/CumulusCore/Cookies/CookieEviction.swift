// SPDX-License-Identifier: Apache-2.0

/// What a full jar remembers of its last look at all cookies, so that it need not look at all of them for each new one.
struct CookieEviction: Sendable {
    /// A cookie as it was when it was looked at.
    struct Candidate: Sendable {
        let domain: String
        let order: UInt64
        let use: UInt64
    }

    /// No cookie ends before this moment, in seconds since 1970.
    private(set) var firstEnd = Int64.max
    /// The cookies by their last use, the oldest at the end; what came or was used since is younger than all of them.
    private(set) var candidates: [Candidate] = []
    /// How many cookies were looked at to find those that go.
    private(set) var looks = 0

    /// Notes when a cookie ends that came in.
    mutating func note(end: Int64) { firstEnd = min(firstEnd, end) }

    /// Notes when the first of all cookies ends, after a look at so many.
    mutating func settle(firstEnd end: Int64, looks count: Int) {
        firstEnd = end
        looks += count
    }

    /// Notes all cookies.
    mutating func line(up cookies: [Candidate]) {
        looks += cookies.count
        candidates = cookies.sorted { $0.use > $1.use }
    }

    /// The next candidate; `nil` if all must be looked at again.
    mutating func next() -> Candidate? {
        looks += 1
        return candidates.popLast()
    }
}
