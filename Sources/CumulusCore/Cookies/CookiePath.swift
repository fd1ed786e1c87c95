// SPDX-License-Identifier: Apache-2.0

/// Matches requests with a cookie's path (RFC 6265bis section 5.1.4).
enum CookiePath {
    private static let slash = UInt8(ascii: "/")

    /// The default path of a cookie: that of its request up to the last slash.
    static func standard(for path: Substring) -> String {
        guard let last = path.utf8.lastIndex(of: slash), last > path.startIndex, path.utf8.first == slash else {
            return "/"
        }
        return String(path[..<last])
    }

    /// Whether a path is the cookie's, or below it.
    static func matches(_ path: Substring, _ cookie: String) -> Bool {
        guard path.utf8.starts(with: cookie.utf8) else { return false }
        return cookie.utf8.last == slash || path.utf8.count == cookie.utf8.count
            || path.utf8.dropFirst(cookie.utf8.count).first == slash
    }
}
