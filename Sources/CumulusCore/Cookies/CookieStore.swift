// SPDX-License-Identifier: Apache-2.0

/// The cookies of a jar: a value without a clock and without I/O.
///
/// They are kept by domain, in the order in which a request gets them, so that a request looks at those of its host and
/// the domains above it only, however many there are.
struct CookieStore: Sendable {
    /// How many cookies one domain may have.
    static let mostOfDomain = 50
    /// The most of a site, as in browsers: one whose hosts are many can't push out what others have set.
    static let mostOfSite = 180
    /// How many cookies there may be.
    static let most = 3_000

    struct Entry: Sendable {
        let cookie: Cookie
        // What choosing looks at stands here once more, so that it need not look into the cookie.
        let expiry: Int64
        let pathLength: Int
        let isHostOnly: Bool
        let isSecure: Bool
        let sameSite: Cookie.SameSite?
        /// Grows with each new cookie; one that takes another's place keeps its.
        let order: UInt64
        /// Grows with each use.
        var use: UInt64

        init(_ cookie: Cookie, order: UInt64, use: UInt64) {
            self.cookie = cookie
            expiry = cookie.expiry ?? .max
            pathLength = cookie.path.utf8.count
            (isHostOnly, isSecure, sameSite) = (cookie.isHostOnly, cookie.isSecure, cookie.sameSite)
            (self.order, self.use) = (order, use)
        }
    }

    struct Shelf: Sendable {
        let domain: String
        /// The registered name, which all hosts of a site share.
        let site: String
        /// In the order in which a request gets them: longer paths first, then older ones.
        var entries: [Entry] = []

        init(_ domain: String) {
            self.domain = domain
            let isAddress = CookieDomain.isAddress(domain)
            site = isAddress ? domain : PublicSuffixes.registeredName(of: domain).map { String($0) } ?? domain
        }
    }

    private(set) var shelves: [Shelf] = []
    private var places: [String: Int] = [:]
    /// How many there are of each site.
    private var sites: [String: Int] = [:]
    private(set) var count = 0
    private var ticks: UInt64 = 0

    /// All cookies that have not ended, by domain.
    func cookies(now: Int64) -> [Cookie] {
        shelves.flatMap { $0.entries.lazy.map(\.cookie) }.filter { !$0.hasEnded(at: now) }
    }

    func shelf(of domain: String) -> Int? { places[domain] }

    /// Takes a cookie in; one that has ended removes what it would replace.
    ///
    /// - Parameters:
    ///   - cookie: The cookie.
    ///   - isConfidential: Whether it came over TLS, or from this machine.
    ///   - now: Seconds since 1970.
    /// - Throws: ``CookieRefusal/overlaysSecure``.
    mutating func take(_ cookie: Cookie, isConfidential: Bool, now: Int64) throws(CookieRefusal) {
        if !isConfidential, !cookie.isSecure, overlaysSecure(cookie) { throw .overlaysSecure }
        let cookie = cookie.ending(by: now + CookieSyntax.longestAge)
        let earlier = remove(cookie)
        guard !cookie.hasEnded(at: now) else { return }
        ticks += 1
        let entry = Entry(cookie, order: earlier?.order ?? ticks, use: ticks)
        let place = place(for: cookie.domain)
        let index = shelves[place].entries.firstIndex { other in
            (entry.pathLength, other.order) > (other.pathLength, entry.order)
        }
        shelves[place].entries.insert(entry, at: index ?? shelves[place].entries.endIndex)
        count += 1
        let site = shelves[place].site
        sites[site, default: 0] += 1
        if shelves[place].entries.count > CookieStore.mostOfDomain { makeRoom(in: place, now: now) }
        if sites[site, default: 0] > CookieStore.mostOfSite { makeRoom(of: site, now: now) }
        if count > CookieStore.most { makeRoom(now: now) }
    }

    /// Removes the cookie that another would replace.
    @discardableResult
    mutating func remove(_ cookie: Cookie) -> Entry? {
        guard let place = places[cookie.domain] else { return nil }
        let index = shelves[place].entries.firstIndex { other in
            other.cookie.nameBytes == cookie.nameBytes && other.cookie.path == cookie.path
                && other.cookie.isHostOnly == cookie.isHostOnly
        }
        return index.map { removeEntry($0, of: place) }
    }

    /// Removes cookies that a rule names.
    mutating func removeAll(where isUnwanted: (Cookie) -> Bool) {
        for place in shelves.indices.reversed() {
            for index in shelves[place].entries.indices.reversed()
            where isUnwanted(shelves[place].entries[index].cookie) { removeEntry(index, of: place) }
        }
    }

    /// Notes that cookies were used.
    mutating func note(uses: some Sequence<(shelf: Int, entry: Int)>) {
        ticks += 1
        for use in uses { shelves[use.shelf].entries[use.entry].use = ticks }
    }

    private mutating func place(for domain: String) -> Int {
        if let place = places[domain] { return place }
        shelves.append(Shelf(domain))
        places[domain] = shelves.count - 1
        return shelves.count - 1
    }

    /// Takes a cookie out, and with the last one its shelf, whose place the last shelf takes.
    @discardableResult
    private mutating func removeEntry(_ index: Int, of place: Int) -> Entry {
        let entry = shelves[place].entries.remove(at: index)
        count -= 1
        let left = sites[shelves[place].site, default: 1] - 1
        sites[shelves[place].site] = left > 0 ? left : nil
        if shelves[place].entries.isEmpty {
            places[shelves[place].domain] = nil
            let last = shelves.removeLast()
            if place < shelves.count {
                shelves[place] = last
                places[last.domain] = place
            }
        }
        return entry
    }

    /// Whether a cookie from plain HTTP would be sent in a secure one's place, or beside it (RFC 6265bis section 5.7).
    private func overlaysSecure(_ cookie: Cookie) -> Bool {
        shelves.contains { shelf in
            guard CookieDomain.matches(shelf.domain, cookie.domain) || CookieDomain.matches(cookie.domain, shelf.domain)
            else { return false }
            return shelf.entries.contains { entry in
                entry.cookie.isSecure && entry.cookie.nameBytes == cookie.nameBytes
                    && CookiePath.matches(cookie.path[...], entry.cookie.path)
            }
        }
    }

    /// Evicts from a domain what has ended; else what is not secure and was used longest ago; else what was.
    private mutating func makeRoom(in place: Int, now: Int64) {
        let entries = shelves[place].entries
        let domain = shelves[place].domain
        if entries.contains(where: { $0.cookie.hasEnded(at: now) }) {
            return removeAll { $0.domain == domain && $0.hasEnded(at: now) }
        }
        let open = entries.indices.filter { !entries[$0].cookie.isSecure }
        let candidates = open.isEmpty ? Array(entries.indices) : open
        if let oldest = candidates.min(by: { entries[$0].use < entries[$1].use }) { removeEntry(oldest, of: place) }
    }

    /// Evicts what has ended; else what was used longest ago.
    private mutating func makeRoom(now: Int64) {
        removeAll { $0.hasEnded(at: now) }
        guard count > CookieStore.most else { return }
        removeOldest { _, _ in true }
    }

    /// Makes room for a new cookie of a site: what has ended goes, else the one unused for longest, `Secure` ones last.
    private mutating func makeRoom(of site: String, now: Int64) {
        for place in shelves.indices.reversed() where shelves[place].site == site {
            for index in shelves[place].entries.indices.reversed()
            where shelves[place].entries[index].cookie.hasEnded(at: now) { removeEntry(index, of: place) }
        }
        guard sites[site, default: 0] > CookieStore.mostOfSite else { return }
        if !removeOldest(where: { $0.site == site && !$1.isSecure }) { removeOldest { shelf, _ in shelf.site == site } }
    }

    /// Removes the one of some that was unused for longest; whether there was any.
    @discardableResult
    private mutating func removeOldest(where isCandidate: (Shelf, Entry) -> Bool) -> Bool {
        var oldest = (shelf: 0, entry: 0, use: UInt64.max)
        for (place, shelf) in shelves.enumerated() {
            for (index, entry) in shelf.entries.enumerated() where entry.use < oldest.use && isCandidate(shelf, entry) {
                oldest = (place, index, entry.use)
            }
        }
        if oldest.use < .max { removeEntry(oldest.entry, of: oldest.shelf) }
        return oldest.use < .max
    }
}

extension Cookie {
    func hasEnded(at now: Int64) -> Bool { expiry.map { $0 <= now } ?? false }
}
