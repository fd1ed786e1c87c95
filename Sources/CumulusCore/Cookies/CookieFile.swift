// SPDX-License-Identifier: Apache-2.0

/// Where a jar's cookies are kept, which several processes may share.
struct CookieFile: Sendable {
    /// More than the most cookies take.
    private static let longest = 24 << 20

    let path: FilePath
    let keepsSession: Bool
    let clock: any RequestClock
    let lane = DiskLane("cumulus.cookies")

    private var file: PrivateFile { PrivateFile(path, longest: CookieFile.longest) }

    /// The cookies in it; none if there is no file.
    func cookies(now: Int64) throws -> CookieStore {
        var store = CookieStore()
        guard let bytes = try file.read(evenIfShared: true) else { return store }
        for cookie in try CookieLines.cookies(in: bytes) where keepsSession || cookie.expiry != nil {
            // A file holds what was judged when it came.
            try? store.take(cookie, isConfidential: true, now: now)
        }
        return store
    }

    /// Replaces it; only its owner can read it from then on.
    func write(_ cookies: CookieStore, now: Int64) throws {
        let lasting = cookies.inOrder.filter { !$0.hasEnded(at: now) }
        try file.write(CookieLines.text(of: lasting, withSession: keepsSession))
    }

    /// What of a jar the file has.
    func kept(of cookies: CookieStore) -> CookieStore {
        guard !keepsSession else { return cookies }
        var kept = cookies
        kept.removeAll { $0.expiry == nil }
        return kept
    }
}
