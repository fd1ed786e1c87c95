// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CookieJar {
    /// Makes a jar from the cookies in a file, which ``save()`` writes back.
    ///
    /// The file has Netscape's format, which curl reads and writes. If there is none, the jar is empty.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - keepsSessionCookies: Whether cookies that end with the session are kept in the file too.
    ///   - clock: Measures the wait while another process writes.
    ///   - time: The clock by which cookies end.
    /// - Throws: ``FileProblem`` for a file that can't be read or is another user's; ``CookieFileProblem`` for one that
    ///   is not a file of cookies.
    public convenience init(
        file path: String,
        keepsSessionCookies: Bool = false,
        clock: any RequestClock = SystemClock(),
        time: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        let file = CookieFile(path: FilePath(path), keepsSession: keepsSessionCookies, clock: clock)
        let now = HTTPDate(time()).secondsSince1970
        let cookies = try await file.lane.run { try file.cookies(now: now) }
        self.init(State(cookies: cookies, saved: cookies), file: file, time: time)
    }

    /// Writes the cookies to the file that the jar was made with; without a file or changes, it does nothing.
    ///
    /// The file is replaced in one step and has the mode 0600, and a directory that is made for it 0700. In the
    /// meantime an empty file next to it, with `.lock` appended to its name, is locked (`flock`). Changes that other
    /// processes have made in the file since it was read are kept, and added to the jar.
    ///
    /// - Throws: ``FileProblem``; ``CookieFileProblem`` if the file was replaced by something else, which is then not
    ///   changed.
    public func save() async throws {
        guard let file else { return }
        guard state.withLock({ !file.kept(of: $0.cookies).holdsSame(as: $0.saved) }) else { return }
        try await PrivateFile(file.path).exclusively(on: file.clock) {
            let (now, before) = (now, state.withLock(\.self))
            let whole = try await file.lane.run {
                let whole = try file.cookies(now: now).changed(from: before.saved, to: before.cookies, now: now)
                try file.write(whole, now: now)
                return whole
            }
            let saved = file.kept(of: whole)
            state.withLock { state in
                // What came while the file was written is merged over it.
                state.cookies = whole.changed(from: before.cookies, to: state.cookies, now: now)
                state.saved = saved
            }
        }
    }

    /// Adds the cookies of a file in Netscape's format, such as curl's; expired ones are left out.
    ///
    /// - Parameter bytes: The content of the file.
    /// - Throws: ``CookieFileProblem``, with nothing put in.
    public func importCookies(from bytes: [UInt8]) throws(CookieFileProblem) {
        for cookie in try CookieLines.cookies(in: bytes) { set(cookie) }
    }

    /// The cookies as a file in Netscape's format, which curl reads; it shows their values.
    ///
    /// - Parameter withSessionCookies: Whether those that end with the session are in it.
    /// - Returns: The bytes of such a file.
    public func exportCookies(withSessionCookies: Bool = true) -> [UInt8] {
        let now = now
        let cookies = state.withLock(\.cookies.inOrder).filter { !$0.hasEnded(at: now) }
        return CookieLines.text(of: cookies, withSession: withSessionCookies)
    }
}
