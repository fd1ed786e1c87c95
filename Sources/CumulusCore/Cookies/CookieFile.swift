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

    /// The content of a file.
    struct Contents {
        var cookies = CookieStore()
        /// Session cookies, which a jar that doesn't keep them leaves to the other programs that share the file.
        var others: [Cookie] = []
        var mark: CookieFileMark?
    }

    /// The content of the file; empty for a missing file.
    func contents(now: Int64) throws -> Contents {
        var contents = Contents()
        guard let bytes = try file.read(evenIfShared: true) else { return contents }
        for cookie in try CookieLines.cookies(in: bytes) {
            guard keepsSession || cookie.expiry != nil else {
                contents.others.append(cookie)
                continue
            }
            // The file's cookies were checked when they were received.
            _ = try? contents.cookies.take(cookie, isConfidential: true, now: now)
        }
        contents.mark = CookieLines.mark(in: bytes) ?? CookieFileMark(of: bytes)
        return contents
    }

    /// Replaces the file, readable only by its owner.
    func write(_ contents: Contents, now: Int64) throws {
        let own = contents.cookies.inOrder.filter { !$0.hasEnded(at: now) && (keepsSession || $0.expiry != nil) }
        // A later line replaces an earlier one with the same name.
        try file.write(CookieLines.text(of: contents.others + own, withSession: true, mark: contents.mark))
    }

    /// The part of a jar's cookies that is stored in the file.
    func kept(of cookies: CookieStore) -> CookieStore {
        guard !keepsSession else { return cookies }
        var kept = cookies
        kept.removeAll { $0.expiry == nil }
        return kept
    }
}

/// The text by which stores recognize the content of a cookie file: one that was deleted and made again may have the
/// cookies of another user.
///
/// Cumulus writes a random one into the file, which stays while responses only replace the values of cookies. A file
/// that another program has written has no mark, so the digest of its bytes is used instead, until Cumulus writes it.
struct CookieFileMark: Sendable, Hashable {
    private static let length = 32

    let text: String
    /// Whether it is the digest of the file's bytes.
    let isDigest: Bool

    /// Creates a new mark.
    init() {
        isDigest = false
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<CookieFileMark.length / 2).map { _ in UInt8.random(in: 0...255, using: &random) }
        text = MessageDigest.hexadecimal(bytes)
    }

    /// Creates the mark of a file that another program has written.
    init(of bytes: [UInt8]) {
        isDigest = true
        text = MessageDigest.hexadecimal(Array(MessageDigest.sha256(of: bytes).prefix(CookieFileMark.length / 2)))
    }

    /// Parses the mark of a file; `nil` if it isn't one.
    init?(parsing text: ArraySlice<UInt8>) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
        let word = text.last == UInt8(ascii: "\r") ? text.dropLast() : text
        guard word.count == CookieFileMark.length, word.allSatisfy({ digits ~= $0 || letters ~= $0 }) else {
            return nil
        }
        self.text = String(decoding: word, as: UTF8.self)
        isDigest = false
    }
}

/// The reason why a file of cookies can't be read (``CookieJar/importCookies(from:)``), without any part of a cookie.
public struct CookieFileProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line's number, counted from 1.
    public let line: Int
    /// A description of the problem.
    public let reason: String

    /// The line and the reason.
    public var description: String { "line \(line) of the cookie file: \(reason)" }
}
