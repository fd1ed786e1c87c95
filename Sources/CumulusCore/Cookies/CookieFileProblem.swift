// SPDX-License-Identifier: Apache-2.0

/// Why a file of cookies can't be read (``CookieJar/importCookies(from:)``); it quotes no part of a cookie.
public struct CookieFileProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line's number, from 1.
    public let line: Int
    /// The problem, in words.
    public let reason: String

    /// The line and the reason.
    public var description: String { "line \(line) of the cookie file: \(reason)" }
}
