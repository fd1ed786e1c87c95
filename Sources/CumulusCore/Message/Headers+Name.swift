// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension Headers {
    /// A header field's name; two that differ only in case are equal.
    public struct Name: Sendable, Hashable, ExpressibleByStringLiteral {
        /// The name as it was written.
        public let text: String
        private let canonical: String

        /// Takes a name as it is; one that is no token fails the request, not this call.
        public init(_ text: String) {
            self.text = text
            self.canonical = text.lowercased()
        }

        /// Takes the name of a field.
        public init(_ name: HTTPField.Name) {
            self.text = name.rawName
            self.canonical = name.canonicalName
        }

        /// Takes a literal.
        public init(stringLiteral text: String) { self.init(text) }

        /// Whether the names are equal without regard to case.
        public static func == (left: Name, right: Name) -> Bool { left.canonical == right.canonical }

        /// Hashes the name without regard to case.
        public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
    }
}

extension Headers.Name {
    /// `Accept`, RFC 9110 section 12.5.1.
    public static let accept = Self("Accept")
    /// `Accept-Encoding`, RFC 9110 section 12.5.3.
    public static let acceptEncoding = Self("Accept-Encoding")
    /// `Accept-Language`, RFC 9110 section 12.5.4.
    public static let acceptLanguage = Self("Accept-Language")
    /// `Authorization`, RFC 9110 section 11.6.2.
    public static let authorization = Self("Authorization")
    /// `Cache-Control`, RFC 9111 section 5.2.
    public static let cacheControl = Self("Cache-Control")
    /// `Content-Encoding`, RFC 9110 section 8.4.
    public static let contentEncoding = Self("Content-Encoding")
    /// `Content-Language`, RFC 9110 section 8.5.
    public static let contentLanguage = Self("Content-Language")
    /// `Content-Length`, RFC 9110 section 8.6.
    public static let contentLength = Self("Content-Length")
    /// `Content-Type`, RFC 9110 section 8.3.
    public static let contentType = Self("Content-Type")
    /// `Cookie`, RFC 6265 section 5.4.
    public static let cookie = Self("Cookie")
    /// `If-Match`, RFC 9110 section 13.1.1.
    public static let ifMatch = Self("If-Match")
    /// `If-Modified-Since`, RFC 9110 section 13.1.3.
    public static let ifModifiedSince = Self("If-Modified-Since")
    /// `If-None-Match`, RFC 9110 section 13.1.2.
    public static let ifNoneMatch = Self("If-None-Match")
    /// `Origin`, RFC 6454 section 7.
    public static let origin = Self("Origin")
    /// `Prefer`, RFC 7240.
    public static let prefer = Self("Prefer")
    /// `Range`, RFC 9110 section 14.2.
    public static let range = Self("Range")
    /// `Referer`, RFC 9110 section 10.1.3.
    public static let referer = Self("Referer")
    /// `User-Agent`, RFC 9110 section 10.1.5.
    public static let userAgent = Self("User-Agent")
}
