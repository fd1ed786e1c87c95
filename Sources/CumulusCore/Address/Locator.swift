// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A URL or the path of a file, as a string or as Foundation's `URL`.
///
/// Each API with a parameter of this type accepts both.
public protocol Locator: Sendable {
    /// The whole URL as text, or a file's path.
    var locatorText: String { get }
}

extension String: Locator {
    /// The string itself.
    public var locatorText: String { self }
}

extension Substring: Locator {
    /// The text itself.
    public var locatorText: String { String(self) }
}

extension URL: Locator {
    /// The path of a `file:` URL, unescaped; otherwise the whole URL.
    public var locatorText: String { isFileURL ? path(percentEncoded: false) : absoluteString }
}

extension RequestURL: Locator {
    /// The whole URL.
    public var locatorText: String { description }
}
