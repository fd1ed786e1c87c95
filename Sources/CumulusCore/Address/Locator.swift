// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What names a URL or a file: a text, or a `URL` of Foundation.
///
/// Whatever takes one takes the other.
public protocol Locator: Sendable {
    /// The whole URL as text; for a file, its path.
    var locatorText: String { get }
}

extension String: Locator {
    /// Itself.
    public var locatorText: String { self }
}

extension Substring: Locator {
    /// Itself.
    public var locatorText: String { String(self) }
}

extension URL: Locator {
    /// The path of a `file:` URL without its escapes; else the whole URL.
    public var locatorText: String { isFileURL ? path(percentEncoded: false) : absoluteString }
}

extension RequestURL: Locator {
    /// The whole URL.
    public var locatorText: String { description }
}
