// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The file of a jar's cookies, which several processes may share.
struct CookieFile: Sendable {
    /// The size limit, above that of a full jar.
    private static let longest = 24 << 20

    let path: FilePath
    /// The path from the root when the jar was made, by which stores know the jar's user; `nil` if that is unknown.
    let place: String?
    let keepsSession: Bool
    let clock: any RequestClock
    let queue = DiskQueue("cumulus.cookies")

    init(path: FilePath, keepsSession: Bool, clock: any RequestClock) {
        self.path = path
        place = path.absolute
        self.keepsSession = keepsSession
        self.clock = clock
    }

    private var file: PrivateFile { PrivateFile(path, longest: CookieFile.longest) }

    /// The cookies in the file; none if there is no file.
    func cookies(now: Int64) throws -> CookieStore {
        var store = CookieStore()
        guard let bytes = try file.read(evenIfShared: true) else { return store }
        for cookie in try CookieLines.cookies(in: bytes) where keepsSession || cookie.expiry != nil {
            // The file's cookies were checked when they were received.
            _ = try? store.take(cookie, isConfidential: true, now: now)
        }
        return store
    }

    /// Replaces the file, readable only by its owner.
    func write(_ cookies: CookieStore, now: Int64) throws {
        let lasting = cookies.inOrder.filter { !$0.hasEnded(at: now) }
        try file.write(CookieLines.text(of: lasting, withSession: keepsSession))
    }

    /// The part of a jar's cookies that is stored in the file.
    func kept(of cookies: CookieStore) -> CookieStore {
        guard !keepsSession else { return cookies }
        var kept = cookies
        kept.removeAll { $0.expiry == nil }
        return kept
    }
}

/// Why a file of cookies can't be read (``CookieJar/importCookies(from:)``); it quotes no part of a cookie.
public struct CookieFileProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line's number, from 1.
    public let line: Int
    /// The problem, in words.
    public let reason: String

    /// The line and the reason.
    public var description: String { "line \(line) of the cookie file: \(reason)" }
}
