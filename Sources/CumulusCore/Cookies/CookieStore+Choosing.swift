// SPDX-License-Identifier: Apache-2.0

extension CookieStore {
    /// What a request must be to get cookies.
    struct Wish {
        let host: String
        /// The path, without the query.
        let path: Substring
        let isConfidential: Bool
        /// Whether a redirect led here from another site.
        var isCrossSite = false
        /// Whether its method changes nothing at the server (RFC 9110 section 9.2.1).
        var isSafe = true
    }

    /// The most cookies of one request, and their bytes: more than a server reads of one line is of no use to it.
    private static let mostSent = 150
    private static let mostBytes = 8_190

    private struct Choice {
        let shelf: Int
        let entry: Int
        let pathLength: Int
        let order: UInt64
    }

    /// The `Cookie` field that a request gets, without those of some names; `nil` where there is no cookie for it.
    ///
    /// Those that are taken count as used.
    mutating func field(for wish: Wish, now: Int64, besides names: [ArraySlice<UInt8>] = []) -> [UInt8]? {
        let chosen = choices(for: wish, now: now)
        guard !chosen.isEmpty else { return nil }
        var field: [UInt8] = []
        var size = 0
        for choice in chosen { size += shelves[choice.shelf].entries[choice.entry].cookie.pair.count + 2 }
        field.reserveCapacity(min(size, CookieStore.mostBytes))
        var sent = 0
        for choice in chosen {
            let length = shelves[choice.shelf].entries[choice.entry].cookie.pair.count
            guard sent < CookieStore.mostSent, field.count + length + 2 <= CookieStore.mostBytes else { continue }
            if !names.isEmpty, names.contains(shelves[choice.shelf].entries[choice.entry].cookie.nameBytes) {
                continue
            }
            if !field.isEmpty {
                field.append(UInt8(ascii: ";"))
                field.append(UInt8(ascii: " "))
            }
            field.append(contentsOf: shelves[choice.shelf].entries[choice.entry].cookie.pair)
            sent += 1
        }
        note(uses: chosen.lazy.map { ($0.shelf, $0.entry) })
        return field.isEmpty ? nil : field
    }

    /// The cookies that a request gets, in their order; nothing counts as used.
    func cookies(for wish: Wish, now: Int64) -> [Cookie] {
        choices(for: wish, now: now).map { shelves[$0.shelf].entries[$0.entry].cookie }
    }

    private func choices(for wish: Wish, now: Int64) -> [Choice] {
        var chosen: [Choice] = []
        let domainCount = choose(from: wish.host, wish, now, isHost: true, into: &chosen)
        guard !CookieDomain.isAddress(wish.host) else { return chosen }
        var (name, shelvesUsed) = (wish.host[...], domainCount)
        while let above = name.cut(at: ".")?.behind, !above.isEmpty {
            name = above
            shelvesUsed += choose(from: String(above), wish, now, isHost: false, into: &chosen)
        }
        // A shelf is in order; several are not.
        if shelvesUsed > 1 {
            chosen.sort { ($1.pathLength, $0.order) < ($0.pathLength, $1.order) }
        }
        return chosen
    }

    /// Adds the cookies of one domain.
    ///
    /// - Returns: 1 if there are any, else 0.
    private func choose(
        from domain: String,
        _ wish: Wish,
        _ now: Int64,
        isHost: Bool,
        into chosen: inout [Choice]
    ) -> Int {
        guard let shelf = shelf(of: domain) else { return 0 }
        let before = chosen.count
        chosen.reserveCapacity(before + shelves[shelf].entries.count)
        shelves[shelf].entries.withUnsafeBufferPointer { entries in
            for index in entries.indices {
                let (pathLength, order) = (entries[index].pathLength, entries[index].order)
                guard isHost || !entries[index].cookie.isHostOnly else { continue }
                guard entries[index].cookie.suits(wish, pathLength, now) else { continue }
                chosen.append(Choice(shelf: shelf, entry: index, pathLength: pathLength, order: order))
            }
        }
        return chosen.count > before ? 1 : 0
    }
}

extension Cookie {
    fileprivate func suits(_ wish: CookieStore.Wish, _ pathLength: Int, _ now: Int64) -> Bool {
        if isSecure, !wish.isConfidential { return false }
        if let expiry, expiry <= now { return false }
        // The root is above every path.
        if pathLength > 1, !CookiePath.matches(wish.path, path) { return false }
        if wish.isCrossSite, let sameSite {
            return sameSite == .unrestricted || sameSite == .lax && wish.isSafe
        }
        return true
    }
}
