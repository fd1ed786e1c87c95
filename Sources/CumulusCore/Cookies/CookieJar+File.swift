// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CookieJar {
    /// Creates a jar from a file of cookies, to which ``save()`` writes them back.
    ///
    /// The file is in Netscape's format, which curl reads and writes. If it doesn't exist, the jar is empty.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - keepsSessionCookies: Whether session cookies are also stored in the file.
    ///   - clock: The clock for waiting while another process writes.
    ///   - time: The clock for expirations.
    /// - Throws: ``FileProblem`` for a file that can't be read or belongs to another user; ``CookieFileProblem`` for a
    ///   file that is not a cookie file.
    public convenience init(
        file path: String,
        keepsSessionCookies: Bool = false,
        clock: any RequestClock = SystemClock(),
        time: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        try await self.init(
            file: path,
            for: nil,
            keepsSessionCookies: keepsSessionCookies,
            clock: clock,
            time: time
        )
    }

    /// Creates a jar that only requests to one origin use: elsewhere, even at another port, it neither sends nor stores.
    package convenience init(
        file path: String,
        for origin: Origin?,
        keepsSessionCookies: Bool,
        clock: any RequestClock = SystemClock(),
        time: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        let file = CookieFile(path: FilePath(path), keepsSession: keepsSessionCookies, clock: clock)
        let now = HTTPDate(time()).secondsSince1970
        let contents = try await FileProblem.naming { try await file.queue.run { try file.contents(now: now) } }
        let state = State(cookies: contents.cookies, saved: contents.cookies, mark: contents.mark)
        self.init(state, file: file, for: origin, time: time)
    }

    /// Writes the cookies to the file that the jar was created with.
    ///
    /// Without a file or changes, it does nothing.
    ///
    /// The file is replaced atomically. Its mode is 0600, and a directory created for it has mode 0700. During the
    /// write, an empty file next to it, with the suffix `.lock`, is locked (`flock`). Changes by other processes since
    /// the file was read are kept, and added to the jar. While another process holds the lock, this waits until it is
    /// cancelled.
    ///
    /// - Throws: ``FileProblem``; ``CookieFileProblem`` if the file was replaced by one that is not a cookie file,
    ///   which is left unchanged.
    public func save() async throws { try await save(within: nil) }

    /// The same, with a limit on the wait for another process that holds the lock.
    package func save(within limit: Duration?) async throws {
        guard let file else { return }
        guard state.withLock({ !file.kept(of: $0.cookies).holdsSame(as: $0.saved) }) else { return }
        try await FileProblem.naming {
            let clock = file.clock
            try await PrivateFile(file.path).exclusively(
                within: limit,
                now: { clock.now },
                sleep: clock.sleep(until:)
            ) { try await merge(into: file) }
        }
    }

    private func merge(into file: CookieFile) async throws {
        let (now, before) = (now, state.withLock(\.self))
        let (whole, mark) = try await file.queue.run {
            var contents = try file.contents(now: now)
            contents.cookies = contents.cookies.changed(from: before.saved, to: before.cookies, now: now)
            // If the file was replaced, its cookies may be another user's, so the merged file gets a new mark. A mark
            // that is a digest isn't kept either, since the bytes change.
            if contents.mark != before.mark || contents.mark?.isDigest != false { contents.mark = CookieFileMark() }
            try file.write(contents, now: now)
            return (contents.cookies, contents.mark)
        }
        let saved = file.kept(of: whole)
        state.withLock { state in
            // Cookies received while the file was written are merged over it.
            state.cookies = whole.changed(from: before.cookies, to: state.cookies, now: now)
            state.saved = saved
            // Another user may have logged in while the file was written.
            state.mark = state.user == before.user ? mark : nil
        }
    }

    /// Adds the cookies of a file in Netscape's format, such as curl's; expired ones are ignored.
    ///
    /// - Parameter bytes: The content of the file.
    /// - Throws: ``CookieFileProblem``, in which case no cookie is added.
    public func importCookies(from bytes: [UInt8]) throws(CookieFileProblem) {
        for cookie in try CookieLines.cookies(in: bytes) { set(cookie) }
    }

    /// Returns the cookies as a file in Netscape's format, which curl reads; it shows their values.
    ///
    /// - Parameter withSessionCookies: Whether to include session cookies.
    /// - Returns: The bytes of the file.
    public func exportCookies(withSessionCookies: Bool = true) -> [UInt8] {
        let now = now
        let cookies = state.withLock(\.cookies.inOrder).filter { !$0.hasEnded(at: now) }
        return CookieLines.text(of: cookies, withSession: withSessionCookies)
    }
}
