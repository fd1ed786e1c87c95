// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
public import HTTPTypes

extension Headers {
    /// A header field's name.
    ///
    /// Two names that differ only in case are equal.
    public struct Name: Sendable, Hashable, ExpressibleByStringLiteral {
        /// The name as it was written.
        public let text: String
        private let canonical: String

        /// Creates a name from text, unchanged; if the text is not a token, this initializer doesn't fail, but sending
        /// the request does.
        public init(_ text: String) {
            self.text = text
            self.canonical = text.lowercased()
        }

        /// Creates a name from a field's name.
        public init(_ name: HTTPField.Name) {
            self.text = name.rawName
            self.canonical = name.canonicalName
        }

        /// Creates a name from a literal.
        public init(stringLiteral text: String) { self.init(text) }

        /// Whether the names are equal, ignoring case.
        public static func == (left: Name, right: Name) -> Bool { left.canonical == right.canonical }

        /// Hashes the name, ignoring case.
        public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }

        /// The name of a field that can be sent.
        ///
        /// - Throws: ``Headers/Malformation`` if it is not a token.
        func fieldName() throws(Malformation) -> HTTPField.Name {
            guard let name = HTTPField.Name(text) else {
                throw Malformation("the header name \(PeerText.quoted(text)) is not a token")
            }
            return name
        }
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

// Fields of responses, and those that the library sends itself.
extension Headers.Name {
    /// `Accept-Ranges`, RFC 9110 section 14.3.
    public static let acceptRanges = Self("Accept-Ranges")
    /// `Age`, RFC 9111 section 5.1.
    public static let age = Self("Age")
    /// `Allow`, RFC 9110 section 10.2.1.
    public static let allow = Self("Allow")
    /// `Authentication-Info`, RFC 9110 section 11.6.3.
    public static let authenticationInfo = Self("Authentication-Info")
    /// `Connection`, RFC 9110 section 7.6.1.
    public static let connection = Self("Connection")
    /// `Content-Disposition`, RFC 6266.
    public static let contentDisposition = Self("Content-Disposition")
    /// `Content-Location`, RFC 9110 section 8.7.
    public static let contentLocation = Self("Content-Location")
    /// `Content-Range`, RFC 9110 section 14.4.
    public static let contentRange = Self("Content-Range")
    /// `Date`, RFC 9110 section 6.6.1.
    public static let date = Self("Date")
    /// `ETag`, RFC 9110 section 8.8.3.
    public static let eTag = Self("ETag")
    /// `Expect`, RFC 9110 section 10.1.1.
    public static let expect = Self("Expect")
    /// `Expires`, RFC 9111 section 5.3.
    public static let expires = Self("Expires")
    /// `From`, RFC 9110 section 10.1.2.
    public static let from = Self("From")
    /// `Host`, RFC 9110 section 7.2.
    public static let host = Self("Host")
    /// `If-Range`, RFC 9110 section 13.1.5.
    public static let ifRange = Self("If-Range")
    /// `If-Unmodified-Since`, RFC 9110 section 13.1.4.
    public static let ifUnmodifiedSince = Self("If-Unmodified-Since")
    /// `Last-Modified`, RFC 9110 section 8.8.2.
    public static let lastModified = Self("Last-Modified")
    /// `Link`, RFC 8288 section 3.
    public static let link = Self("Link")
    /// `Location`, RFC 9110 section 10.2.2.
    public static let location = Self("Location")
    /// `Proxy-Authenticate`, RFC 9110 section 11.7.1.
    public static let proxyAuthenticate = Self("Proxy-Authenticate")
    /// `Proxy-Authentication-Info`, RFC 9110 section 11.7.3.
    public static let proxyAuthenticationInfo = Self("Proxy-Authentication-Info")
    /// `Proxy-Authorization`, RFC 9110 section 11.7.2.
    public static let proxyAuthorization = Self("Proxy-Authorization")
    /// `Retry-After`, RFC 9110 section 10.2.3.
    public static let retryAfter = Self("Retry-After")
    /// `Server`, RFC 9110 section 10.2.4.
    public static let server = Self("Server")
    /// `Set-Cookie`, RFC 6265 section 4.1.
    public static let setCookie = Self("Set-Cookie")
    /// `Strict-Transport-Security`, RFC 6797 section 6.1.
    public static let strictTransportSecurity = Self("Strict-Transport-Security")
    /// `TE`, RFC 9110 section 10.1.4.
    public static let te = Self("TE")
    /// `Trailer`, RFC 9110 section 6.6.2.
    public static let trailer = Self("Trailer")
    /// `Transfer-Encoding`, RFC 9112 section 6.1.
    public static let transferEncoding = Self("Transfer-Encoding")
    /// `Upgrade`, RFC 9110 section 7.8.
    public static let upgrade = Self("Upgrade")
    /// `Vary`, RFC 9110 section 12.5.5.
    public static let vary = Self("Vary")
    /// `Via`, RFC 9110 section 7.6.3.
    public static let via = Self("Via")
    /// `WWW-Authenticate`, RFC 9110 section 11.6.1.
    public static let wwwAuthenticate = Self("WWW-Authenticate")
}
