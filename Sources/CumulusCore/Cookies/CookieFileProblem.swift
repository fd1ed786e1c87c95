// SPDX-License-Identifier: Apache-2.0

/// Why a file of cookies can't be read (``CookieJar/importCookies(from:)``); nothing of a cookie is quoted.
public struct CookieFileProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line, counted from 1.
    public let line: Int
    /// What is wrong with it.
    public let reason: String

    /// Line and reason.
    public var description: String { "line \(line) of the cookie file: \(reason)" }
}
