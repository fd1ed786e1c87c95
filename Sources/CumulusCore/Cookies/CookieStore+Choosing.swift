// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension CookieStore {
    /// The properties of a request that determine its cookies.
    struct RequestFacts {
        let host: String
        /// The path, without the query.
        let path: Substring
        let isConfidential: Bool
        /// Whether a redirect from another site led here.
        var isCrossSite = false
        /// Whether its method is safe (RFC 9110 section 9.2.1).
        var isSafe = true
    }

    /// The limits of one request's cookies and their bytes: servers don't read longer lines.
    private static let mostSent = 150
    private static let mostBytes = 8_190

    private struct Choice {
        let group: Int
        let entry: Int
        let pathLength: Int
        let order: UInt64
        /// The length of name and value, in bytes.
        let length: Int
    }

    /// The `Cookie` field of a request, without cookies of some names; `nil` if there is no cookie for it.
    ///
    /// The chosen cookies are marked as used.
    mutating func field(for facts: RequestFacts, now: Int64, besides names: [ArraySlice<UInt8>] = []) -> [UInt8]? {
        var chosen = choices(for: facts, now: now)
        guard !chosen.isEmpty else { return nil }
        var (sent, size) = (0, 0)
        for index in chosen.indices {
            let length = chosen[index].length + 2
            guard sent < CookieStore.mostSent, size + length <= CookieStore.mostBytes + 2,
                names.isEmpty || !names.contains(cookie(of: chosen[index]).nameBytes)
            else { continue }
            if sent < index { chosen[sent] = chosen[index] }
            (sent, size) = (sent + 1, size + length)
        }
        chosen.removeLast(chosen.count - sent)
        guard sent > 0 else { return nil }
        let field = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            for choice in chosen {
                if filled > 0 {
                    buffer.initializeElement(at: filled, to: UInt8(ascii: ";"))
                    buffer.initializeElement(at: filled + 1, to: UInt8(ascii: " "))
                    filled += 2
                }
                // The buffer has room for the cookies that were counted above.
                let room = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                groups[choice.group].entries[choice.entry].cookie.pair.withUnsafeBytes { room.copyMemory(from: $0) }
                filled += choice.length
            }
        }
        note(uses: chosen.lazy.map { ($0.group, $0.entry) })
        return field
    }

    private func cookie(of choice: Choice) -> Cookie { groups[choice.group].entries[choice.entry].cookie }

    /// The cookies of a request, in order, without marking them as used.
    func cookies(for facts: RequestFacts, now: Int64) -> [Cookie] {
        choices(for: facts, now: now).map(cookie)
    }

    private func choices(for facts: RequestFacts, now: Int64) -> [Choice] {
        var chosen: [Choice] = []
        let domainCount = choose(from: facts.host, facts, now, isHost: true, into: &chosen)
        guard !CookieDomain.isAddress(facts.host) else { return chosen }
        var (name, shelvesUsed) = (facts.host[...], domainCount)
        while let above = name.cut(at: ".")?.behind, !above.isEmpty {
            name = above
            shelvesUsed += choose(from: String(above), facts, now, isHost: false, into: &chosen)
        }
        // One group is in order; several are not.
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
        _ facts: RequestFacts,
        _ now: Int64,
        isHost: Bool,
        into chosen: inout [Choice]
    ) -> Int {
        guard let group = group(of: domain) else { return 0 }
        let before = chosen.count
        chosen.reserveCapacity(before + groups[group].entries.count)
        groups[group].entries.withUnsafeBufferPointer { entries in
            for index in entries.indices {
                let traits = entries[index].traits
                // The root path is above every path.
                guard isHost || !traits.isHostOnly, traits.suit(facts, now),
                    traits.pathLength == 1 || CookiePath.matches(facts.path, entries[index].cookie.path)
                else { continue }
                chosen.append(
                    Choice(
                        group: group,
                        entry: index,
                        pathLength: traits.pathLength,
                        order: traits.order,
                        length: traits.length
                    )
                )
            }
        }
        return chosen.count > before ? 1 : 0
    }
}

extension CookieStore.Traits {
    fileprivate func suit(_ facts: CookieStore.RequestFacts, _ now: Int64) -> Bool {
        if isSecure, !facts.isConfidential { return false }
        if expiry <= now { return false }
        if facts.isCrossSite, let sameSite {
            return sameSite == .unrestricted || sameSite == .lax && facts.isSafe
        }
        return true
    }
}
