// SPDX-License-Identifier: Apache-2.0

extension CookieStore {
    /// Evicts expired cookies from a site; else the least recently used one, `Secure` cookies last.
    ///
    /// - Returns: How many cookies that had not expired were evicted.
    mutating func makeRoom(of site: String, now: Int64) -> Int {
        for place in groups.indices.reversed() where groups[place].site == site {
            for index in groups[place].entries.indices.reversed()
            where groups[place].entries[index].cookie.hasEnded(at: now) { removeEntry(index, of: place) }
        }
        guard count(of: site) > CookieStore.mostOfSite else { return 0 }
        return removeOldest(of: site, where: { !$0.isSecure }) || removeOldest(of: site, where: { _ in true }) ? 1 : 0
    }

    /// Removes a site's least recently used cookie; returns whether there was one.
    private mutating func removeOldest(of site: String, where isCandidate: (Cookie) -> Bool) -> Bool {
        var oldest = (group: 0, entry: 0, use: UInt64.max)
        for (place, group) in groups.enumerated() where group.site == site {
            for (index, entry) in group.entries.enumerated() where entry.use < oldest.use && isCandidate(entry.cookie) {
                oldest = (place, index, entry.use)
            }
        }
        guard oldest.use < .max else { return false }
        removeEntry(oldest.entry, of: oldest.group)
        return true
    }

    /// Evicts expired cookies; else the least recently used one.
    ///
    /// - Returns: How many cookies that had not expired were evicted.
    mutating func makeRoom(now: Int64) -> Int {
        if eviction.firstEnd <= now { removeEnded(now: now) }
        var evicted = 0
        while count > CookieStore.most {
            guard let candidate = eviction.next() else {
                eviction.line(up: allCandidates)
                continue
            }
            // It may be gone, or may have been used since.
            guard let place = group(of: candidate.domain),
                let index = groups[place].entries.firstIndex(where: { $0.traits.order == candidate.order }),
                groups[place].entries[index].use == candidate.use
            else { continue }
            removeEntry(index, of: place)
            evicted += 1
        }
        return evicted
    }

    private mutating func removeEnded(now: Int64) {
        let all = count
        removeAll { $0.hasEnded(at: now) }
        let ends = groups.lazy.flatMap { $0.entries.lazy.map(\.traits.expiry) }
        eviction.settle(firstEnd: ends.min() ?? .max, looks: all)
    }

    private var allCandidates: [CookieEviction.Candidate] {
        groups.flatMap { group in
            group.entries.lazy.map {
                CookieEviction.Candidate(domain: group.domain, order: $0.traits.order, use: $0.use)
            }
        }
    }
}
