// SPDX-License-Identifier: Apache-2.0

/// The cookies of a jar: a value without a clock and without I/O.
///
/// Cookies are stored by domain, in the order in which requests get them, so that a request looks only at those of its
/// host and its parent domains, however many there are.
struct CookieStore: Sendable {
    /// The limit of one site's cookies, as in browsers: a site with many hosts can't displace the cookies of others.
    static let mostOfSite = 180
    /// The limit of all cookies.
    static let most = 3_000

    struct Entry: Sendable {
        let cookie: Cookie
        let traits: Traits
        /// Increases with each use.
        var use: UInt64

        init(_ cookie: Cookie, order: UInt64, use: UInt64) {
            self.cookie = cookie
            traits = Traits(cookie, order: order)
            self.use = use
        }
    }

    /// A copy of the properties needed for choosing: plain values, copied without reference counting.
    struct Traits: Sendable {
        let expiry: Int64
        let pathLength: Int
        /// The length of name and value, in bytes.
        let length: Int
        let isHostOnly: Bool
        let isSecure: Bool
        let sameSite: Cookie.SameSite?
        /// Increases with each new cookie; a replacement keeps the order of the old one.
        let order: UInt64

        init(_ cookie: Cookie, order: UInt64) {
            expiry = cookie.expiry ?? .max
            (pathLength, length) = (cookie.path.utf8.count, cookie.pair.count)
            (isHostOnly, isSecure, sameSite) = (cookie.isHostOnly, cookie.isSecure, cookie.sameSite)
            self.order = order
        }
    }

    struct DomainGroup: Sendable {
        let domain: String
        /// The registered name, shared by all hosts of a site.
        let site: String
        /// In the order in which requests get them: longer paths first, then older cookies.
        var entries: [Entry] = []

        init(_ domain: String) {
            self.domain = domain
            let isAddress = CookieDomain.isAddress(domain)
            site = isAddress ? domain : PublicSuffixes.registeredName(of: domain).map { String($0) } ?? domain
        }
    }

    private(set) var groups: [DomainGroup] = []
    private var places: [String: Int] = [:]
    /// The number of cookies per site.
    private var sites: [String: Int] = [:]
    private(set) var count = 0
    /// The number of cookies that end with the session.
    private(set) var sessionCount = 0
    /// The number of times that a cookie was added or removed; a cookie that replaces another one doesn't count.
    private(set) var changes = 0
    private var ticks: UInt64 = 0
    var eviction = CookieEviction()

    /// All cookies that have not expired, by domain.
    func cookies(now: Int64) -> [Cookie] {
        groups.flatMap { $0.entries.lazy.map(\.cookie) }.filter { !$0.hasEnded(at: now) }
    }

    func group(of domain: String) -> Int? { places[domain] }

    /// The number of a site's cookies.
    func count(of site: String) -> Int { sites[site, default: 0] }

    /// Adds a cookie; an expired one removes the cookie that it would replace.
    ///
    /// - Parameters:
    ///   - cookie: The cookie.
    ///   - isConfidential: Whether it was received over TLS, or from this machine.
    ///   - now: Seconds since 1970.
    /// - Returns: How many cookies that had not expired were removed to stay within the limits.
    /// - Throws: ``CookieRefusal/overlaysSecure``.
    @discardableResult
    mutating func take(_ cookie: Cookie, isConfidential: Bool, now: Int64) throws(CookieRefusal) -> Int {
        if !isConfidential, !cookie.isSecure, overlaysSecure(cookie) { throw .overlaysSecure }
        let cookie = cookie.ending(by: now + CookieSyntax.longestAge)
        let changesBefore = changes
        let earlier = remove(cookie)
        guard !cookie.hasEnded(at: now) else { return 0 }
        if let earlier, !earlier.cookie.hasEnded(at: now) { changes = changesBefore } else { changes += 1 }
        ticks += 1
        let entry = Entry(cookie, order: earlier?.traits.order ?? ticks, use: ticks)
        eviction.note(end: entry.traits.expiry)
        let place = place(for: cookie.domain)
        let index = groups[place].entries.firstIndex { other in
            (entry.traits.pathLength, other.traits.order) > (other.traits.pathLength, entry.traits.order)
        }
        groups[place].entries.insert(entry, at: index ?? groups[place].entries.endIndex)
        count += 1
        if cookie.expiry == nil { sessionCount += 1 }
        let site = groups[place].site
        sites[site, default: 0] += 1
        var evicted = 0
        if sites[site, default: 0] > CookieStore.mostOfSite { evicted += makeRoom(of: site, now: now) }
        if count > CookieStore.most { evicted += makeRoom(now: now) }
        return evicted
    }

    /// Removes the cookie that another would replace.
    @discardableResult
    mutating func remove(_ cookie: Cookie) -> Entry? {
        guard let place = places[cookie.domain] else { return nil }
        let index = groups[place].entries.firstIndex { other in
            other.cookie.nameBytes == cookie.nameBytes && other.cookie.path == cookie.path
                && other.cookie.isHostOnly == cookie.isHostOnly
        }
        return index.map { removeEntry($0, of: place) }
    }

    /// Removes a cookie, unless another one has replaced it.
    mutating func remove(unchanged cookie: Cookie) {
        guard let place = places[cookie.domain],
            let index = groups[place].entries.firstIndex(where: { $0.cookie == cookie })
        else { return }
        removeEntry(index, of: place)
    }

    /// Removes the cookies that satisfy a predicate.
    mutating func removeAll(where isUnwanted: (Cookie) -> Bool) {
        for place in groups.indices.reversed() {
            for index in groups[place].entries.indices.reversed()
            where isUnwanted(groups[place].entries[index].cookie) { removeEntry(index, of: place) }
        }
    }

    /// Marks cookies as used.
    mutating func note(uses: some Sequence<(group: Int, entry: Int)>) {
        ticks += 1
        let tick = ticks
        var iterator = uses.makeIterator()
        var next = iterator.next()
        while let first = next {
            // Usually all are on one group, whose buffer is made unique only once.
            groups[first.group].entries.withUnsafeMutableBufferPointer { entries in
                while let use = next, use.group == first.group {
                    entries[use.entry].use = tick
                    next = iterator.next()
                }
            }
        }
    }

    private mutating func place(for domain: String) -> Int {
        if let place = places[domain] { return place }
        groups.append(DomainGroup(domain))
        places[domain] = groups.count - 1
        return groups.count - 1
    }

    /// Removes a cookie, and after the last one its group, whose place the last group takes.
    @discardableResult
    mutating func removeEntry(_ index: Int, of place: Int) -> Entry {
        let entry = groups[place].entries.remove(at: index)
        count -= 1
        changes += 1
        if entry.cookie.expiry == nil { sessionCount -= 1 }
        let left = sites[groups[place].site, default: 1] - 1
        sites[groups[place].site] = left > 0 ? left : nil
        if groups[place].entries.isEmpty {
            places[groups[place].domain] = nil
            let last = groups.removeLast()
            if place < groups.count {
                groups[place] = last
                places[last.domain] = place
            }
        }
        return entry
    }

    /// Whether a cookie from plain HTTP would be sent instead of a secure one, or together with it (RFC 6265bis section
    /// 5.7).
    private func overlaysSecure(_ cookie: Cookie) -> Bool {
        groups.contains { group in
            guard CookieDomain.matches(group.domain, cookie.domain) || CookieDomain.matches(cookie.domain, group.domain)
            else { return false }
            return group.entries.contains { entry in
                entry.cookie.isSecure && entry.cookie.nameBytes == cookie.nameBytes
                    && CookiePath.matches(cookie.path[...], entry.cookie.path)
            }
        }
    }
}

extension Cookie {
    func hasEnded(at now: Int64) -> Bool { expiry.map { $0 <= now } ?? false }
}
