// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Which redirects are followed (RFC 9110 section 15.4), and what goes along.
///
/// 301 and 302 make a POST a GET, 303 makes everything but HEAD a GET, 307 and 308 keep method and body. A hop to
/// another origin takes only harmless header fields along, and no later hop gets more. From https to http is refused.
public struct RedirectPolicy: Sendable, Hashable {
    /// How many redirects are followed before ``CumulusError/Code/tooManyRedirects``; 0 delivers the first one.
    public var limit: Int
    /// Whether a hop may go from https to plain http.
    public var allowsDowngrade: Bool
    /// Whether 307 and 308 may carry a body to another origin.
    public var sendsBodiesToOtherOrigins: Bool

    /// Follows up to 20 redirects, unless told otherwise.
    public init(limit: Int = 20, allowsDowngrade: Bool = false, sendsBodiesToOtherOrigins: Bool = false) {
        self.limit = limit
        self.allowsDowngrade = allowsDowngrade
        self.sendsBodiesToOtherOrigins = sendsBodiesToOtherOrigins
    }

    /// Follows none: a redirect is delivered like any other response.
    public static let none = RedirectPolicy(limit: 0)

    /// The fields that may be shown to another origin.
    static func harmless(_ fields: HTTPFields) -> HTTPFields {
        HTTPFields(fields.filter { safeHeaders.contains(Headers.Name($0.name)) })
    }

    /// The names of header fields that may be shown to another origin.
    static let safeHeaders: Set<Headers.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .userAgent, .cacheControl, .contentType, .contentLanguage,
        .contentEncoding, .range, .ifNoneMatch, .ifModifiedSince, .ifMatch, "If-Unmodified-Since", "If-Range", .prefer,
    ]
}

extension SettingKeys {
    /// Which redirects are followed.
    ///
    /// Default: up to 20, never from https to http. The nearest layer wins.
    public var redirects: RedirectsKey.Type { RedirectsKey.self }
}

/// The key of ``SettingKeys/redirects``.
public enum RedirectsKey: SettingKey {
    /// Up to 20.
    public static var defaultValue: RedirectPolicy { RedirectPolicy() }
}
