// SPDX-License-Identifier: Apache-2.0

/// The reason why a jar refuses a cookie (RFC 6265bis section 5).
public enum CookieRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The cookie's name, value, domain or path contains a control character, or its name or value contains a tab.
    case controlCharacter
    /// The cookie's name or value contains a character that would end it: `;`, or `=` in a name.
    case delimiter
    /// The cookie has neither a name nor a value.
    case empty
    /// The cookie's name and value together exceed 4,096 bytes, or its domain or path exceeds 1,024.
    case tooLong
    /// The cookie's domain is neither the host that sent it, nor a parent of it.
    case foreignDomain
    /// The cookie's domain is a public suffix, such as `co.uk`.
    case publicSuffix
    /// The cookie's domain is not a host name in lower-case ASCII.
    case malformedDomain
    /// The cookie's path does not begin with a slash.
    case malformedPath
    /// The cookie is marked `Secure`, but was received over plain HTTP.
    case insecure
    /// The cookie's name begins with `__Secure-` or `__Host-`, but the cookie doesn't meet the conditions of that
    /// prefix.
    case brokenPrefix
    /// The cookie was received over plain HTTP, and would replace a `Secure` cookie.
    case overlaysSecure

    /// A description of the reason, without any part of the cookie.
    public var description: String {
        switch self {
        case .controlCharacter: "the cookie contains a control character"
        case .delimiter: "the cookie's name or value contains a delimiter"
        case .empty: "the cookie has neither name nor value"
        case .tooLong: "the cookie is too long"
        case .foreignDomain: "the cookie's domain is neither the host that sent it nor one of its parent domains"
        case .publicSuffix: "the cookie's domain is a public suffix"
        case .malformedDomain: "the cookie's domain is not a host name"
        case .malformedPath: "the cookie's path does not begin with a slash"
        case .insecure: "the cookie is marked Secure, but arrived over plain HTTP"
        case .brokenPrefix:
            "the cookie's name begins with __Secure- or __Host-, but the cookie breaks the rules for that prefix"
        case .overlaysSecure: "the cookie arrived over plain HTTP and would hide a cookie that is marked Secure"
        }
    }
}
